import type { EngineFiles } from "./engine-files.ts";
import { CANCELED } from "./faults.ts";
import type { Answer, Task } from "./protocol.ts";
import {
  createWorkerSupervisor,
  type SupervisorEvents,
  type SupervisorSettings,
  type TaskOptions,
  type WorkerSupervisor,
} from "./worker-supervisor.ts";

/** Each worker needs 20 to 40 MB for the pack's pictures, and more than two workers are hardly faster. */
const WORKERS_MAX = 2;
/**
 * In the first round, the browser runs unoptimized code. It then optimizes the functions that the second round runs.
 */
const WARM_UP_ROUNDS = 2;
/** Minimum memory of the device for two workers. */
const MEMORY_FOR_TWO_GB = 4;

/** `Next`: type of the tasks from `nextTask`, which are passed to `onAnswer` with their answers. */
export interface PoolEvents<Next extends Task> extends SupervisorEvents {
  /** The next task for an idle worker; null if there is none. */
  readonly nextTask: () => Next | null;
  readonly onAnswer: (task: Next, answer: Answer) => void;
  /** Called when no worker needs warming up any more. */
  readonly onWarm: () => void;
}

/** Two workers if the machine has enough cores and memory, otherwise one. */
export interface WorkerPool {
  /** Performs a task ahead of those from `nextTask`. */
  readonly urgent: (task: Task, options: TaskOptions) => Promise<Answer>;
  /** Assigns tasks to idle workers. Call it when `nextTask` may return a task again. */
  readonly wake: () => void;
  /** Starts the workers. */
  readonly start: () => void;
  /** Runs a task twice on each unused worker, until there is another task. */
  readonly warmUp: (task: Task) => void;
  readonly close: () => void;
}

/** A task with the callback for its answer. */
interface Run {
  readonly task: Task;
  readonly options: TaskOptions;
  readonly resolve: (answer: Answer) => void;
}

const canceled: Answer = { kind: "fault", fault: CANCELED };

export function createWorkerPool<Next extends Task>(
  files: EngineFiles,
  settings: SupervisorSettings,
  events: PoolEvents<Next>,
): WorkerPool {
  const idle: WorkerSupervisor[] = Array.from({ length: workerCount() }, () =>
    createWorkerSupervisor(files, settings, events),
  );
  const all = [...idle];
  const waiting: Run[] = [];
  /** Workers that have had no task yet, with their remaining warm-up rounds. */
  const cold = new Map(all.map((seat) => [seat, WARM_UP_ROUNDS]));
  let warming: Task | null = null;
  /** Cancels the running warm-up rounds. */
  let stopWarming = new AbortController();
  let isClosed = false;

  const perform = async (seat: WorkerSupervisor, { task, options, resolve }: Run): Promise<void> => {
    const answer = await seat.perform(task, options);
    // Put the worker first, because it has the pictures of its last task.
    idle.unshift(seat);
    resolve(isClosed ? canceled : answer);
    wake();
  };
  const nextRun = (): Run | null => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      if (!run.options.signal?.aborted) return run;
      run.resolve(canceled);
    }
    const task = events.nextTask();
    return task === null ? null : { task, options: {}, resolve: (answer) => events.onAnswer(task, answer) };
  };
  const wake = (): void => {
    while (!isClosed) {
      const seat = idle[0];
      if (seat === undefined) {
        stopWarming.abort();
        return;
      }
      const run = nextRun();
      if (run === null) {
        warmIdle();
        return;
      }
      idle.shift();
      cold.delete(seat);
      void perform(seat, run);
    }
  };
  const warmIdle = (): void => {
    if (warming === null) return;
    if (stopWarming.signal.aborted) stopWarming = new AbortController();
    for (const seat of [...idle]) {
      const rounds = cold.get(seat);
      if (rounds === undefined) continue;
      cold.set(seat, rounds - 1);
      idle.splice(idle.indexOf(seat), 1);
      const resolve = (answer: Answer): void => {
        if (answer.kind === "fault" || rounds === 1) cold.delete(seat);
        if (cold.size === 0) events.onWarm();
      };
      void perform(seat, { task: warming, options: { signal: stopWarming.signal }, resolve });
    }
  };
  return {
    urgent: (task, options) =>
      new Promise((resolve) => {
        if (isClosed) return resolve(canceled);
        waiting.push({ task, options, resolve });
        wake();
      }),
    wake,
    start: () => {
      for (const seat of all) seat.start();
    },
    warmUp: (task) => {
      warming = task;
      wake();
    },
    close: () => {
      isClosed = true;
      for (const seat of all) seat.close();
      for (const { resolve } of waiting.splice(0)) resolve(canceled);
    },
  };
}

function workerCount(): number {
  // Only Chromium reports memory; other browsers get two workers.
  const memoryGb = "deviceMemory" in navigator ? Number(navigator.deviceMemory) : MEMORY_FOR_TWO_GB;
  const cores = navigator.hardwareConcurrency || 1;
  return memoryGb < MEMORY_FOR_TWO_GB ? 1 : Math.min(WORKERS_MAX, cores);
}
