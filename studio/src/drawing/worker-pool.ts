import type { EngineFiles } from "./engine-files.ts";
import { CANCELLED } from "./faults.ts";
import type { Answer, Task } from "./protocol.ts";
import {
  createWorkerSeat,
  type SeatEvents,
  type SeatSettings,
  type TaskEars,
  type WorkerSeat,
} from "./worker-seat.ts";

/** Each worker holds the pack's pictures, 20 to 40 MB: more than two would draw little faster. */
const WORKERS_MAX = 2;
/** The first round runs what is barely compiled; what it shows to be busy is compiled better, and settles in the second. */
const WARM_UP_ROUNDS = 2;
/** With less memory than this, in GB, one worker has to do. */
const MEMORY_FOR_TWO_GB = 4;

export interface PoolEvents extends SeatEvents {
  /** A worker has nothing to do: it may be given one task, by calling it now. */
  readonly onIdle: (give: (task: Task) => Promise<Answer>) => void;
  /** The last worker was warmed up, or came to do something else. */
  readonly onWarm: () => void;
}

/** Two workers on a machine that has cores and memory for them, else one. */
export interface WorkerPool {
  /** Performs a task before all that `onIdle` would give. */
  readonly urgent: (task: Task, ears: TaskEars) => Promise<Answer>;
  /** Something has come to do. */
  readonly wake: () => void;
  /** Starts the workers. */
  readonly start: () => void;
  /** Gives each worker that has done nothing yet this task, twice, until there is something else to do. */
  readonly warmUp: (task: Task) => void;
  readonly close: () => void;
}

interface Waiting {
  readonly task: Task;
  readonly ears: TaskEars;
  readonly resolve: (answer: Answer) => void;
}

export function createWorkerPool(files: EngineFiles, settings: SeatSettings, events: PoolEvents): WorkerPool {
  const idle: WorkerSeat[] = Array.from({ length: workerCount() }, () =>
    createWorkerSeat(files, settings, events),
  );
  const all = [...idle];
  const waiting: Waiting[] = [];
  /** Seats that have done nothing that anybody asked for, with how often they are still to be warmed up. */
  const cold = new Map(all.map((seat) => [seat, WARM_UP_ROUNDS]));
  let warming: Task | null = null;
  /** Ends the rounds that are under way. */
  let stopWarming = new AbortController();
  let isClosed = false;

  const occupy = async (seat: WorkerSeat, task: Task, ears: TaskEars): Promise<Answer> => {
    const answer = await seat.perform(task, ears);
    // The next task goes to whoever has the pictures of the last.
    idle.unshift(seat);
    return isClosed ? { kind: "fault", fault: CANCELLED } : answer;
  };
  const wake = (): void => {
    while (!isClosed) {
      const seat = idle.shift();
      if (seat === undefined) {
        stopWarming.abort();
        return;
      }
      if (!giveUrgent(seat) && !giveIdle(seat)) {
        idle.unshift(seat);
        warmIdle();
        return;
      }
      cold.delete(seat);
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
      void occupy(seat, warming, { signal: stopWarming.signal }).then((answer) => {
        if (answer.kind === "fault" || rounds === 1) cold.delete(seat);
        if (cold.size === 0) events.onWarm();
        wake();
      });
    }
  };
  const giveUrgent = (seat: WorkerSeat): boolean => {
    const first = waiting.shift();
    if (first === undefined) return false;
    if (first.ears.signal?.aborted) {
      first.resolve({ kind: "fault", fault: CANCELLED });
      return giveUrgent(seat);
    }
    void occupy(seat, first.task, first.ears).then((answer) => {
      first.resolve(answer);
      wake();
    });
    return true;
  };
  const giveIdle = (seat: WorkerSeat): boolean => {
    let isGiven = false;
    events.onIdle((task) => {
      isGiven = true;
      return occupy(seat, task, {});
    });
    return isGiven;
  };
  return {
    urgent: (task, ears) =>
      new Promise((resolve) => {
        if (isClosed) return resolve({ kind: "fault", fault: CANCELLED });
        waiting.push({ task, ears, resolve });
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
      for (const { resolve } of waiting.splice(0)) resolve({ kind: "fault", fault: CANCELLED });
    },
  };
}

function workerCount(): number {
  // Chromium alone tells the memory; others get two.
  const memoryGb = "deviceMemory" in navigator ? Number(navigator.deviceMemory) : MEMORY_FOR_TWO_GB;
  const cores = navigator.hardwareConcurrency || 1;
  return memoryGb < MEMORY_FOR_TWO_GB ? 1 : Math.min(WORKERS_MAX, cores);
}
