/** Runs tasks one at a time, in the order they came. */
export interface Mutex {
  /** Runs the task when no other one runs. Never take it again from within a task: that would wait for itself. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** As `run`; `BUSY` at once where `waitingMax` tasks wait already. The task may hold the mutex for `holdMsMax`. */
  runSoon<T>(task: () => Promise<T>, waitingMax: number, holdMsMax: number): Promise<T | typeof BUSY>;
}

/** So many tasks wait that one more was not taken. */
export const BUSY = Symbol("busy");

/** How a mutex reads the time and waits; tests replace both. */
export interface MutexClock {
  now(): number;
  wait(timeMs: number): Promise<void>;
}

const CLOCK: MutexClock = {
  now: () => Date.now(),
  wait: (timeMs) => new Promise((resolve) => setTimeout(resolve, timeMs)),
};

/** How often a waiting task shows a sign of life. */
const LOOK_MS = 250;
/** How soon a waiting task looks again when the mutex is free and another one's turn. */
const TURN_MS = 10;
/** A task that showed no sign for this long was cut off, or its isolate was busy for all of it. */
const GONE_MS = 2_000;

/**
 * Made and released by the same request: the platform warns of a promise that another request settles, and cancels what
 * waits for one whose request has ended.
 */
interface Hold {
  readonly untilMs: number;
  readonly released: Promise<void>;
  readonly release: () => void;
}

interface Waiting {
  seenAtMs: number;
}

function holdUntil(untilMs: number): Hold {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { untilMs, released, release };
}

/**
 * One task at a time. Tasks belong to requests, and the platform may cut a request off at any await: a task that holds the
 * mutex for longer than `holdMsMax` loses it, and a waiting one is passed over when it shows no sign of life, so that a
 * dead request never blocks the others for good.
 */
export function createMutex(holdMsMax: number, clock: MutexClock = CLOCK): Mutex {
  const waiting = new Set<Waiting>();
  let held: Hold | null = null;

  const isGone = ({ seenAtMs }: Waiting): boolean => clock.now() - seenAtMs > GONE_MS;
  const isFree = (): boolean => held === null || clock.now() > held.untilMs;
  const isNext = (me: Waiting): boolean => {
    for (const other of waiting) {
      if (other === me) return true;
      if (!isGone(other)) return false;
      waiting.delete(other);
    }
    return true;
  };

  /** Waits until the mutex is the caller's. No await stands between finding it free and holding it: others wait too. */
  async function entered(holdMs: number): Promise<Hold> {
    const me: Waiting = { seenAtMs: clock.now() };
    waiting.add(me);
    try {
      while (!isFree() || !isNext(me)) {
        await (held === null ? clock.wait(TURN_MS) : Promise.race([held.released, clock.wait(LOOK_MS)]));
        me.seenAtMs = clock.now();
        // Passed over while the isolate was busy: it waits again, behind the others.
        waiting.add(me);
      }
      held = holdUntil(clock.now() + holdMs);
      return held;
    } finally {
      waiting.delete(me);
    }
  }

  async function run<T>(task: () => Promise<T>, holdMs = holdMsMax): Promise<T> {
    const mine = await entered(holdMs);
    try {
      return await task();
    } finally {
      if (held === mine) held = null;
      mine.release();
    }
  }

  return {
    run: (task) => run(task),
    runSoon: async (task, waitingMax, holdMs) =>
      !isFree() && waiting.size >= waitingMax ? BUSY : run(task, holdMs),
  };
}
