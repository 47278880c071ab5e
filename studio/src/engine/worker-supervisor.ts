import type { EngineFiles } from "./engine-files.ts";
import { brokenDown, CANCELED, unreachable } from "./faults.ts";
import type { Answer, FromWorker, LateModule, PackSpec, Task, ToWorker } from "./protocol.ts";
import type { EngineFault } from "./types.ts";

/** Maximum attempts of a task that breaks its worker. */
const TRIES = 2;

export interface SupervisorSettings {
  /** Base URL of the font library. */
  readonly fontsUrl: string;
  /** A worker that sends no message for this long counts as hung. */
  readonly silenceMsMax: number;
}

export interface SupervisorEvents {
  readonly onPictures: (message: FromWorker & { type: "pictures" }) => void;
}

/** Callbacks of the running task. */
export interface TaskOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Manages one worker: starts it at the first task, and replaces it when it breaks. */
export interface WorkerSupervisor {
  /**
   * Performs a task; call it for one task at a time. Never rejects: errors are returned as faults. A task that breaks
   * its worker is retried once in a new worker.
   */
  readonly perform: (task: Task, options: TaskOptions) => Promise<Answer>;
  /** Starts the worker ahead of the first task. */
  readonly start: () => void;
  readonly close: () => void;
}

/** Outcome of an attempt. */
type Outcome =
  | { readonly type: "answer"; readonly answer: Answer }
  | { readonly type: "broken"; readonly how: "crashed" | "stalled"; readonly message: string }
  | { readonly type: "unreachable"; readonly message: string };

const fault = (one: EngineFault): Answer => ({ kind: "fault", fault: one });

export function createWorkerSupervisor(
  files: EngineFiles,
  settings: SupervisorSettings,
  events: SupervisorEvents,
): WorkerSupervisor {
  let live: Promise<LiveWorker> | null = null;
  let taskCount = 0;
  const closing = new AbortController();

  const start = (): Promise<LiveWorker> => {
    if (live !== null) return live;
    const starting = startWorker(files, settings, events);
    live = starting;
    starting.catch(() => {
      if (live === starting) live = null;
    });
    return starting;
  };
  const end = (): void => {
    const ending = live;
    live = null;
    ending?.then(({ worker }) => worker.terminate()).catch(() => {});
  };

  const tryOnce = async (task: Task, options: TaskOptions): Promise<Outcome> => {
    try {
      const worker = await start();
      await worker.provide(lateModulesOf(task));
      // If the task was canceled while the worker started, `perform` would miss the abort event.
      if (closing.signal.aborted || options.signal?.aborted)
        return { type: "answer", answer: fault(CANCELED) };
      taskCount += 1;
      return await worker.perform(taskCount, task, options, closing.signal);
    } catch (cause) {
      return { type: "unreachable", message: String(cause) };
    }
  };

  return {
    start: () => void start().catch(() => {}),
    perform: async (task, options) => {
      for (let left = TRIES; ; left -= 1) {
        const outcome = await tryOnce(task, options);
        if (closing.signal.aborted || options.signal?.aborted) return fault(CANCELED);
        if (outcome.type === "answer") return outcome.answer;
        end();
        if (outcome.type === "unreachable") return fault(unreachable(outcome.message));
        if (left <= 1) return fault(brokenDown(outcome.how, outcome.message));
      }
    },
    close: () => {
      closing.abort();
      end();
    },
  };
}

function lateModulesOf(task: Task): readonly LateModule[] {
  if (task.kind === "measure") return ["jpegEncoder", "webpEncoder", "videoEncoder", ...vectorOf(task.pack)];
  return "asset" in task || task.kind === "warmUp" ? [] : vectorOf(task.pack);
}

const vectorOf = ({ assets: { logo, logoOnDark } }: PackSpec): readonly LateModule[] =>
  [logo, logoOnDark].some((asset) => asset?.mimeType === "image/svg+xml") ? ["svgRasteriser"] : [];

interface LiveWorker {
  readonly worker: Worker;
  /** Sends the compiled codecs that the worker lacks. */
  readonly provide: (names: readonly LateModule[]) => Promise<void>;
  readonly perform: (
    taskId: number,
    task: Task,
    options: TaskOptions,
    closing: AbortSignal,
  ) => Promise<Outcome>;
}

/** Starts a worker with the engine's files. Rejects if its script or those files cannot be loaded. */
async function startWorker(
  files: EngineFiles,
  { fontsUrl, silenceMsMax }: SupervisorSettings,
  { onPictures }: SupervisorEvents,
): Promise<LiveWorker> {
  const worker = new Worker(new URL("./drawing-worker.ts", import.meta.url), { type: "module" });
  const tell = (message: ToWorker): void => worker.postMessage(message);
  try {
    const [{ core, fonts }] = await Promise.all([files.parts(), readiness(worker)]);
    tell({ type: "start", core, fonts, fontsUrl });
  } catch (cause) {
    worker.terminate();
    throw cause;
  }
  const provided = new Set<LateModule>();
  return {
    worker,
    provide: async (names) => {
      const missing = names.filter((name) => !provided.has(name));
      if (missing.length === 0) return;
      tell({ type: "modules", late: await files.late(missing) });
      for (const name of missing) provided.add(name);
    },
    perform: (taskId, task, { signal }, closing) =>
      new Promise((resolve) => {
        let watch = 0;
        const settle = (outcome: Outcome): void => {
          clearTimeout(watch);
          worker.onmessage = null;
          worker.onerror = null;
          signal?.removeEventListener("abort", drop);
          closing.removeEventListener("abort", leave);
          resolve(outcome);
        };
        const expectSign = (): void => {
          clearTimeout(watch);
          watch = window.setTimeout(
            () => settle({ type: "broken", how: "stalled", message: "" }),
            silenceMsMax,
          );
        };
        const leave = (): void => settle({ type: "answer", answer: fault(CANCELED) });
        const drop = (): void => tell({ type: "drop", taskId });
        worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
          expectSign();
          if (data.type === "pictures") onPictures(data);
          else if (data.type === "ready" || data.taskId !== taskId) return;
          else if (data.type === "done") settle({ type: "answer", answer: data.answer });
          else settle({ type: "broken", how: "crashed", message: data.message });
        };
        worker.onerror = ({ message }) => settle({ type: "broken", how: "crashed", message });
        signal?.addEventListener("abort", drop, { once: true });
        closing.addEventListener("abort", leave, { once: true });
        expectSign();
        tell({ type: "do", taskId, task });
      }),
  };
}

/** Resolves when a worker's script runs; rejects if it cannot be loaded. */
const readiness = (worker: Worker): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.onmessage = () => resolve();
    worker.onerror = ({ message }) => reject(new Error(message || "its script could not be loaded"));
  });
