import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { clock } from "../clock.ts";
import { type Fault, faultOf } from "./fault.ts";
import { originRequestId } from "./origin-of-work.ts";

/**
 * One log line, a JSON object. Only these fields may be logged: ids, codes, counts and times. Never keys, secrets,
 * cookies, signed links, addresses of any kind, user agents or file names.
 */
export interface LogLine extends Partial<Fault> {
  readonly event: string;
  /** The caller's text if it sent one, hashed unless it looks like a plain id. */
  readonly requestId?: string;
  readonly operation?: string;
  readonly status?: number;
  readonly code?: string;
  /**
   * Time between two I/O events. The platform's clock stands still while code runs and catches up at the next I/O. So
   * this includes CPU time in between, but not after the last I/O; Workers' own metrics have that.
   */
  readonly durationMs?: number;
  readonly apiKeyId?: string;
  readonly accountId?: string;
  readonly jobId?: string;
  readonly artifactId?: string;
  readonly deliveryId?: string;
  readonly mailId?: string;
  readonly assetId?: string;
  /** The payment provider's id of an event. */
  readonly eventId?: string;
  readonly attempt?: number;
  readonly count?: number;
  readonly byteLength?: number;
  /** Number of handled items by sweep, without zeros. */
  readonly counts?: Readonly<Record<string, number>>;
}

type Method = "log" | "error";

interface HeldLine {
  readonly method: Method;
  readonly line: LogLine;
  readonly atMs: number;
}

/** Maximum number of deferred lines, so that a flood of bad links does not fill the memory. */
const HELD_LINES_MAX = 200;
const PLAIN_REQUEST_ID = /^[A-Za-z0-9._:/+=@-]+$/;
const HASH_CHARACTERS = 16;

/**
 * Request ids that contain an API key, an invitation code, a signing secret, an email address, a session cookie, a
 * signed link's token or a JSON web token: the client has put a secret into the wrong header.
 */
const SECRET_INSIDE = new RegExp(
  [
    /cpk_[a-z]+_|cpi_|cps_|whsec_|\/downloads\//,
    /@[\w-]+\./,
    /\.[A-Za-z0-9+/]{43}=$/,
    /[0-9a-f]{8}\.[\w-]+\.[\w-]+$/,
    /eyJ[\w-]+\.[\w-]+\./,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** A request id for the log: unchanged if it looks like a plain id, otherwise the start of its SHA-256. */
export function loggedRequestId(requestId: string): string {
  if (PLAIN_REQUEST_ID.test(requestId) && !SECRET_INSIDE.test(requestId)) return requestId;
  const hash = createHash("sha256").update(requestId).digest("hex");
  return `sha256-${hash.slice(0, HASH_CHARACTERS)}`;
}

/** True during a request whose URL may contain a secret. */
const silence = new AsyncLocalStorage<true>();
let held: HeldLine[] = [];
let droppedCount = 0;

/**
 * Runs a request whose URL may contain a secret. The platform attaches a request's URL to everything it prints, so this
 * prints nothing: its lines are printed later, with their own time, before the next line of another invocation. If the
 * isolate ends first, they are lost.
 */
export const withDeferredLogs = <T>(work: () => T): T => silence.run(true, work);

/** Returns a function that runs later work, such as a stream's. It defers log lines if the current request does. */
export const captureLogContext = (): (<T>(work: () => T) => T) => AsyncLocalStorage.snapshot();

const print = (method: Method, line: LogLine & { readonly atMs?: number }): void =>
  console[method](
    JSON.stringify(
      line.requestId === undefined ? line : { ...line, requestId: loggedRequestId(line.requestId) },
    ),
  );

function printHeld(): void {
  const [lines, dropped] = [held, droppedCount];
  [held, droppedCount] = [[], 0];
  for (const { method, line, atMs } of lines) print(method, { ...line, atMs });
  if (dropped > 0) print("error", { event: "log_lines_dropped", count: dropped });
}

function write(method: Method, written: LogLine): void {
  const requestId = written.requestId ?? originRequestId();
  const line = requestId === undefined ? written : { ...written, requestId };
  if (silence.getStore() === undefined) {
    if (held.length > 0) printHeld();
    print(method, line);
  } else if (held.length < HELD_LINES_MAX) {
    held.push({ method, line, atMs: clock.now() });
  } else {
    droppedCount += 1;
  }
}

export const log = {
  line: (line: LogLine): void => write("log", line),
  /** Logs a failure, with the fault of the thrown value if given. */
  failure: (line: LogLine, ...thrown: readonly unknown[]): void =>
    write("error", thrown.length === 0 ? line : { ...faultOf(thrown[0]), ...line }),
};
