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
/** With less memory than this, in GB, one worker has to do. */
const MEMORY_FOR_TWO_GB = 4;

export interface PoolEvents extends SeatEvents {
  /** A worker has nothing to do: it may be given one task, by calling it now. */
  readonly onIdle: (give: (task: Task) => Promise<Answer>) => void;
}

/** Two workers on a machine that has cores and memory for them, else one. */
export interface WorkerPool {
  /** Performs a task before all that `onIdle` would give. */
  readonly urgent: (task: Task, ears: TaskEars) => Promise<Answer>;
  /** Something may have come to do. */
  readonly wake: () => void;
  readonly warmUp: () => void;
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
  let isClosed = false;

  const occupy = async (seat: WorkerSeat, task: Task, ears: TaskEars): Promise<Answer> => {
    const answer = await seat.perform(task, ears);
    idle.push(seat);
    return isClosed ? { kind: "fault", fault: CANCELLED } : answer;
  };
  const wake = (): void => {
    while (!isClosed) {
      const seat = idle.shift();
      if (seat === undefined) return;
      if (!giveUrgent(seat) && !giveIdle(seat)) {
        idle.unshift(seat);
        return;
      }
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
    warmUp: () => {
      for (const seat of all) seat.warmUp();
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
