/** Runs tasks one at a time, in order of arrival. */
export interface Mutex {
  /** Runs the task once no other runs. A nested call would deadlock. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Like `run`, but returns `BUSY` if `waitingMax` tasks wait already. The task may hold the mutex for `holdMsMax`. */
  runSoon<T>(task: () => Promise<T>, waitingMax: number, holdMsMax: number): Promise<T | typeof BUSY>;
}

/** Result of `runSoon` if too many tasks wait. */
export const BUSY = Symbol("busy");

/** The mutex's clock; tests replace it. */
export interface MutexClock {
  now(): number;
  wait(timeMs: number): Promise<void>;
}

const CLOCK: MutexClock = {
  now: () => Date.now(),
  wait: (timeMs) => new Promise((resolve) => setTimeout(resolve, timeMs)),
};

/** Interval at which a waiting task updates `seenAtMs`. */
const HEARTBEAT_MS = 250;
/** Poll interval while the mutex is free but another task is next. */
const TURN_MS = 10;
/** A waiting task without an update for this long was canceled, or its isolate was busy throughout. */
const GONE_AFTER_MS = 2_000;

/**
 * A task's lock of the mutex, created and released by the same request: the platform warns if another request settles a
 * promise, and cancels work that waits for a promise of an ended request.
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
 * Creates a mutex. The platform may cancel a request at any await, and its tasks with it. So a task loses the mutex
 * after `holdMsMax`, and a waiting task without updates is skipped: a dead request never blocks others for good.
 */
export function createMutex(holdMsMax: number, clock: MutexClock = CLOCK): Mutex {
  const waiting = new Set<Waiting>();
  let held: Hold | null = null;

  const isGone = ({ seenAtMs }: Waiting): boolean => clock.now() - seenAtMs > GONE_AFTER_MS;
  const isFree = (): boolean => held === null || clock.now() > held.untilMs;
  const isNext = (me: Waiting): boolean => {
    for (const other of waiting) {
      if (other === me) return true;
      if (!isGone(other)) return false;
      waiting.delete(other);
    }
    return true;
  };

  /** Waits until the mutex belongs to the caller. No await between the last check and taking it. */
  async function entered(holdMs: number): Promise<Hold> {
    const me: Waiting = { seenAtMs: clock.now() };
    waiting.add(me);
    try {
      while (!isFree() || !isNext(me)) {
        await (held === null ? clock.wait(TURN_MS) : Promise.race([held.released, clock.wait(HEARTBEAT_MS)]));
        me.seenAtMs = clock.now();
        // If this task was skipped while the isolate was busy, it joins the end of the queue.
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
