import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { finished } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { Failure } from "./failure.ts";
import { inRoot, ROOT } from "./paths.ts";
import { withoutRequestLines } from "./request-lines.ts";
import { IS_PREPARED, toolEnvironment, toolPath, WRANGLER_ENVIRONMENT } from "./tool.ts";

export interface LocalWorkerOptions {
  /** Where D1, R2, queues and objects keep their state. */
  readonly stateFolder: string;
  /** Gets everything that wrangler and the worker print. */
  readonly logPath: string;
  /** 0 lets the system choose a free port. */
  readonly port: number;
  /** The wrangler configuration; wrangler.toml when absent. See `configWithShards`. */
  readonly configPath?: string;
  /** The entry, from the project's root; the configuration's own when absent. */
  readonly script?: string;
  /** Variables over those of the configuration. */
  readonly vars?: Readonly<Record<string, string>>;
}

export interface LocalWorker {
  /** As `http://127.0.0.1:8787`. */
  readonly origin: string;
  /** Settles with the exit code when the worker ends, asked or not. */
  readonly ended: Promise<number>;
  /** The last lines of the log, to explain a failure. */
  readonly lastLines: () => string;
  /** Ends wrangler and workerd and waits until both are gone. */
  readonly stop: () => Promise<void>;
  /** Kills both at once, as a machine that loses its power does, and waits until they are gone. */
  readonly kill: () => Promise<void>;
}

/** Lets deliveries go to servers on this machine, which an origin of customers must never do. */
export const LOOPBACK_VARS: Readonly<Record<string, string>> = {
  ENVIRONMENT: "local",
  ALLOW_LOOPBACK_DELIVERIES: "true",
};

/**
 * Keeps workerd's memory small: 415 MB after 1,000 packs, where it grew by a megabyte a pack before. Some forty isolates simulate the platform beside
 * ours. V8 lets the old objects of each grow to tens of megabytes before it first collects them, and the runtime's own
 * objects of ended requests (promises, contexts, stubs, cursors), which V8 does not count in full, wait for that: of 154 MB
 * that the allocator had given out after 120 packs, 69 were freed by collecting. A first limit of 4 MB makes each isolate
 * collect early, and again after a few megabytes more. wrangler's record of every request's steps, for its explorer, is one
 * more isolate that works at each of them.
 */
export const SMALL_MEMORY = {
  X_LOCAL_OBSERVABILITY: "false",
  MINIFLARE_WORKERD_V8_FLAGS: "--optimize-for-size --max-semi-space-size=1 --initial-old-space-size=4",
} as const;

/** Five seconds on a machine with nothing else to do; this is for one that has much. */
const READY_MS_MAX = 90_000;
/** wrangler was once seen to stand still behind its build command, in thousands of starts. */
const STARTS_MAX = 2;
/** wrangler needs a moment to end workerd; what still runs after it is killed. */
const STOP_MS_MAX = 5_000;
const LAST_LINES = 30;

/** The address in the message that wrangler sends its parent once it serves, or null for any other message. */
function readyOrigin(message: unknown): string | null {
  if (typeof message !== "string") return null;
  const { event, port } = JSON.parse(message);
  return event === "DEV_SERVER_READY" ? `http://127.0.0.1:${port}` : null;
}

/** Signals the group that the child leads; false when nothing of it is left. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/** Lets wrangler end workerd in good order, then makes sure of both. */
async function endGroup(child: ChildProcess, ended: Promise<number>): Promise<void> {
  child.kill("SIGTERM");
  await Promise.race([ended, delay(STOP_MS_MAX, undefined, { ref: false })]);
  signalGroup(child, "SIGKILL");
  await ended;
}

/** Waits until the worker itself answers: wrangler's address is open before the worker is built. */
async function untilAnswering(origin: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await fetch(`${origin}/health`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
      });
      return;
    } catch {
      await delay(100);
    }
  }
}

/** Why a worker did not start. */
interface Problem {
  readonly problem: string;
  readonly isLate: boolean;
  readonly lastLines: string;
}

/**
 * Starts the worker in workerd, offline and on the loopback address, and waits until it serves. A `Failure` that says why it does
 * not, with its last lines.
 */
export async function startLocalWorker(options: LocalWorkerOptions): Promise<LocalWorker> {
  for (let starts = 1; ; starts += 1) {
    const started = await startOnce(options);
    if (!("problem" in started)) return started;
    const { problem, isLate, lastLines } = started;
    if (!isLate || starts === STARTS_MAX) {
      throw new Failure(`The worker did not start: ${problem}. Its last lines:\n${lastLines}`);
    }
    console.warn(`The worker is started once more: ${problem}.`);
  }
}

async function startOnce(options: LocalWorkerOptions): Promise<LocalWorker | Problem> {
  await mkdir(dirname(options.logPath), { recursive: true });
  const child = spawn(
    process.execPath,
    [
      "--import",
      inRoot("scripts/local/parent-watchdog.ts"),
      toolPath("wrangler"),
      "dev",
      ...(options.script === undefined ? [] : [inRoot(options.script)]),
      ...(options.configPath === undefined ? [] : ["--config", options.configPath]),
      "--local",
      "--ip",
      "127.0.0.1",
      "--port",
      String(options.port),
      "--inspector-port",
      "0",
      "--persist-to",
      options.stateFolder,
      "--show-interactive-dev-session=false",
      ...Object.entries(options.vars ?? {}).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
    ],
    // A group of its own, so that workerd ends with wrangler whatever happens to either.
    {
      cwd: ROOT,
      detached: true,
      // The worker's own lines, whatever this process was told about its wrangler.
      env: toolEnvironment({
        ...WRANGLER_ENVIRONMENT,
        ...SMALL_MEMORY,
        WRANGLER_LOG: "log",
        [IS_PREPARED]: "1",
      }),
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    },
  );
  const logFile = createWriteStream(options.logPath);
  child.stdout?.setEncoding("utf8").pipe(withoutRequestLines()).pipe(logFile, { end: false });
  child.stderr?.pipe(logFile, { end: false });

  const ended = new Promise<number>((resolve) => {
    child.on("error", () => resolve(127));
    child.on("exit", (code) => resolve(code ?? 1));
  });
  const lastLines = () => {
    const log = stripVTControlCharacters(readFileSync(options.logPath, "utf8"));
    return log.trim().split("\n").slice(-LAST_LINES).join("\n");
  };
  const killOnExit = () => signalGroup(child, "SIGKILL");
  process.on("exit", killOnExit);
  // Later than the end: what a process printed last is read after it.
  const allRead = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const letGo = async () => {
    process.off("exit", killOnExit);
    await Promise.race([allRead, delay(STOP_MS_MAX, undefined, { ref: false })]);
    logFile.end();
    await finished(logFile);
  };
  const stop = async () => {
    await endGroup(child, ended);
    await letGo();
  };
  const kill = async () => {
    signalGroup(child, "SIGKILL");
    await ended;
    await letGo();
  };

  const isReady = new Promise<string>((resolve) => {
    child.on("message", (message) => {
      const origin = readyOrigin(message);
      if (origin) resolve(origin);
    });
  });
  // A source that does not build would otherwise be waited for: wrangler hopes for an edit.
  const broken = new Promise<string>((resolve) => {
    child.stderr?.on("data", (text) => {
      if (String(text).includes("Build failed")) resolve("its source does not build");
    });
  });
  const over = ended.then((code) => `wrangler ended with ${code}`);
  const starting = new AbortController();
  const answering = isReady.then(async (origin) => {
    await untilAnswering(origin, starting.signal);
    return { origin };
  });
  const late = delay(READY_MS_MAX, null, { ref: false });
  const start = await Promise.race([answering, broken, over, late]);
  starting.abort();
  if (start === null || typeof start === "string") {
    await stop();
    const problem = start ?? `it did not answer within ${READY_MS_MAX / 1000} seconds`;
    return { problem, isLate: start === null, lastLines: lastLines() };
  }
  const { origin } = start;
  return { origin, ended, lastLines, stop, kill };
}
