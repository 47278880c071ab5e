import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { clock } from "../clock.ts";
import { type Fault, faultOf } from "./fault.ts";
import { originRequestId } from "./origin-of-work.ts";

/**
 * One JSON object a line. Only these members may be logged: ids, codes, counts and times.
 * Keys, secrets, cookies, signed links, addresses of any kind, user agents and file names never enter here.
 */
export interface LogLine extends Partial<Fault> {
  readonly event: string;
  /** The caller's own text where it sent one; hashed where it may be more than an id. */
  readonly requestId?: string;
  readonly operation?: string;
  readonly status?: number;
  readonly code?: string;
  /**
   * From one I/O to another. On the platform the clock stands still while code runs and catches up at the next I/O, so
   * CPU time between the two is in it, and CPU time after the last is not: that is in Workers' own metrics.
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
  /** How many things each sweep handled, of those that handled any. */
  readonly counts?: Readonly<Record<string, number>>;
}

type Method = "log" | "error";

interface HeldLine {
  readonly method: Method;
  readonly line: LogLine;
  readonly atMs: number;
}

/** Lines of an isolate that wait for a request that may print; a flood of bad links fills no memory. */
const HELD_LINES_MAX = 200;
/** Longer lines would be of no known member. */
const PLAIN_REQUEST_ID = /^[A-Za-z0-9._:/+=@-]+$/;
const HASH_CHARACTERS = 16;

/**
 * An API key, an invitation's code, a signing secret, an email address, the value of a session's cookie, the token of
 * a signed link, or a JSON web token: whoever sends one as a request id has mistaken the header.
 */
const SECRET_INSIDE = new RegExp(
  [
    /cpk_(?:live|test|trial)_|cpi_|whsec_|\/downloads\//,
    /@[\w-]+\./,
    /\.[A-Za-z0-9+/]{43}=$/,
    /[0-9a-f]{8}\.[\w-]+\.[\w-]+$/,
    /eyJ[\w-]+\.[\w-]+\./,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** A request id as a log may hold it: itself where it looks like an id, else the start of its SHA-256. */
export function loggedRequestId(requestId: string): string {
  if (PLAIN_REQUEST_ID.test(requestId) && !SECRET_INSIDE.test(requestId)) return requestId;
  const hash = createHash("sha256").update(requestId).digest("hex");
  return `sha256-${hash.slice(0, HASH_CHARACTERS)}`;
}

/** True within a request whose address may hold a secret. */
const silence = new AsyncLocalStorage<true>();
let held: HeldLine[] = [];
let droppedCount = 0;

/**
 * Runs a request whose address may hold a secret. The platform attaches the address of a request to whatever is
 * printed from within it, so nothing is: lines wait, and are printed with the next line of another invocation of the
 * isolate, with the time at which they were written. Those of an isolate that ends before that are lost.
 */
export const inSilence = <T>(work: () => T): T => silence.run(true, work);

/** Runs later work, as a stream's, in the silence or the openness that stands now. */
export const keepSilence = (): (<T>(work: () => T) => T) => AsyncLocalStorage.snapshot();

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
  /** The line of a failure, with the fault of what was thrown, where something was. */
  failure: (line: LogLine, ...thrown: readonly unknown[]): void =>
    write("error", thrown.length === 0 ? line : { ...faultOf(thrown[0]), ...line }),
};
