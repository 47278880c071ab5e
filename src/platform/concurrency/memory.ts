import { type Refusal, refuse } from "#api/errors.ts";
import { BUSY, createMutex, type Mutex } from "./mutex.ts";

/**
 * Time after which a large task loses its lock. The platform ends a batch after five minutes of CPU time, so a task
 * that has not released the lock by then was killed.
 */
const LARGE_HOLD_MS_MAX = 300_000;
/** Time after which a large task of an HTTP request loses its lock. Such tasks take seconds. */
const LARGE_HTTP_HOLD_MS_MAX = 60_000;
/** Time after which a small task loses its lock: longer than it takes to read and inspect a few megabytes. */
const SMALL_HOLD_MS_MAX = 15_000;

/** Waiting requests need no memory; the limit keeps their callers from waiting too long. */
const LARGE_WAITING_MAX = 64;
const SMALL_WAITING_MAX = 256;

const large = createMutex(LARGE_HOLD_MS_MAX);
const small = createMutex(SMALL_HOLD_MS_MAX);

/**
 * Runs a task that needs a large part of the isolate's 128 MB: a render, opening a font, verifying a large file. One
 * such task runs at a time, and reads its bytes only once it runs. Never nest it. A request's task must continue after
 * its client disconnects (`finishAfterDisconnect`): a canceled one would keep the memory locked.
 */
export const withLargeMemory = <T>(task: () => Promise<T>): Promise<T> => large.run(task);

/** Like `withLargeMemory` for HTTP requests: 429 SERVICE_BUSY if too many wait. */
export const withLargeMemorySoon = <T>(task: () => Promise<T>): Promise<T | Refusal> =>
  soon(large, LARGE_WAITING_MAX, LARGE_HTTP_HOLD_MS_MAX, task);

/** Like `withLargeMemorySoon` for a file of a few megabytes: one at a time, in parallel with a large task. */
export const withSmallMemorySoon = <T>(task: () => Promise<T>): Promise<T | Refusal> =>
  soon(small, SMALL_WAITING_MAX, SMALL_HOLD_MS_MAX, task);

async function soon<T>(
  mutex: Mutex,
  waitingMax: number,
  holdMsMax: number,
  task: () => Promise<T>,
): Promise<T | Refusal> {
  const value = await mutex.runSoon(task, waitingMax, holdMsMax);
  return value === BUSY ? refuse("SERVICE_BUSY", "Too many requests wait for memory.") : value;
}
