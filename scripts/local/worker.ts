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
  /** State folder of D1, R2, queues and Durable Objects. */
  readonly stateFolder: string;
  /** Receives all output of wrangler and the worker. */
  readonly logPath: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** wrangler configuration; default wrangler.toml. See `configWithShards`. */
  readonly configPath?: string;
  /** The worker's main module, relative to the project's root; default: that of the configuration. */
  readonly script?: string;
  /** Variables that override the configuration. */
  readonly vars?: Readonly<Record<string, string>>;
}

export interface LocalWorker {
  /** Such as `http://127.0.0.1:8787`. */
  readonly origin: string;
  /** Resolves with the exit code when the worker ends for any reason. */
  readonly ended: Promise<number>;
  /** Last lines of the log, to explain a failure. */
  readonly lastLines: () => string;
  /** Ends wrangler and workerd and waits for both. */
  readonly stop: () => Promise<void>;
  /** Kills both at once, as a power failure would, and waits for both. */
  readonly kill: () => Promise<void>;
}

/** Allows deliveries to servers on this machine, which a public origin must never do. */
export const LOOPBACK_VARS: Readonly<Record<string, string>> = {
  ENVIRONMENT: "local",
  ALLOW_LOOPBACK_DELIVERIES: "true",
};

/**
 * Limits workerd's memory to 415 MB after 1,000 packs; without it, memory grows by 1 MB per pack.
 *
 * Some forty isolates simulate the platform. V8 lets the old generation of each grow to tens of megabytes before its
 * first collection. Until then it keeps the runtime's objects of ended requests (promises, contexts, stubs, cursors),
 * which V8 counts only in part: of 154 MB allocated after 120 packs, a collection freed 69 MB. An initial limit of 4 MB
 * makes each isolate collect early and often.
 *
 * wrangler's record of requests is off, because it runs in another isolate at every request.
 */
export const SMALL_MEMORY = {
  X_LOCAL_OBSERVABILITY: "false",
  MINIFLARE_WORKERD_V8_FLAGS: "--optimize-for-size --max-semi-space-size=1 --initial-old-space-size=4",
} as const;

/** Starting takes five seconds on an idle machine; this allows for a busy one. */
const READY_MS_MAX = 90_000;
/** In thousands of starts, wrangler once hung after its build command. */
const STARTS_MAX = 2;
/** Grace period for wrangler to end workerd; then the rest is killed. */
const STOP_MS_MAX = 5_000;
const LAST_LINES = 30;

/** The URL in wrangler's message to its parent once it serves; null for any other message. */
function readyOrigin(message: unknown): string | null {
  if (typeof message !== "string") return null;
  const { event, port } = JSON.parse(message);
  return event === "DEV_SERVER_READY" ? `http://127.0.0.1:${port}` : null;
}

/** Signals the child's process group; false if it no longer exists. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/** Lets wrangler shut down workerd, then kills what remains. */
async function endGroup(child: ChildProcess, ended: Promise<number>): Promise<void> {
  child.kill("SIGTERM");
  await Promise.race([ended, delay(STOP_MS_MAX, undefined, { ref: false })]);
  signalGroup(child, "SIGKILL");
  await ended;
}

/** Waits until the worker responds, because wrangler listens before the worker is built. */
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

/** Reason why a worker did not start. */
interface Problem {
  readonly problem: string;
  readonly isLate: boolean;
  readonly lastLines: string;
}

/**
 * Starts the worker in workerd, offline and on loopback, and waits until it serves. Throws a `Failure` with the reason
 * and the last log lines.
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
    // A process group, so that workerd can be killed together with wrangler.
    {
      cwd: ROOT,
      detached: true,
      // `WRANGLER_LOG` keeps the worker's log lines, even if this process has another log level.
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
  // `close` comes after `exit`, when the last output has been read.
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
  // Fails on a build error. wrangler itself would wait for an edit.
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
