import { type Refusal, refuse } from "#api/errors.ts";
import { BUSY, createMutex, type Mutex } from "./mutex.ts";

/** The platform ends a batch after five minutes of CPU: a task that holds the memory longer was cut off. */
const LARGE_HOLD_MS_MAX = 300_000;
/** The same of an HTTP request, whose work takes seconds. */
const LARGE_HTTP_HOLD_MS_MAX = 60_000;
/** Longer than a read and a look at a few megabytes take. */
const SMALL_HOLD_MS_MAX = 15_000;

/** Requests that wait hold nothing, but their callers wait too. */
const LARGE_WAITING_MAX = 64;
const SMALL_WAITING_MAX = 256;

const large = createMutex(LARGE_HOLD_MS_MAX);
const small = createMutex(SMALL_HOLD_MS_MAX);

/**
 * Runs what needs a large part of the isolate's 128 MB: a render, a font that is opened, a large file that is verified.
 * One such task runs at a time, whatever it is for, and reads its bytes within it. Never nest it. A request that holds
 * it outlives its client (`src/interface/http/context.ts`): if it were cut off, the next one would have to wait.
 */
export const withLargeMemory = <T>(task: () => Promise<T>): Promise<T> => large.run(task);

/** As `withLargeMemory`, for a caller that waits: 429 SERVICE_BUSY when very many do already. */
export const withLargeMemorySoon = <T>(task: () => Promise<T>): Promise<T | Refusal> =>
  soon(large, LARGE_WAITING_MAX, LARGE_HTTP_HOLD_MS_MAX, task);

/** The same for a file of a few megabytes, one at a time beside what is large: forty of them would be large too. */
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
