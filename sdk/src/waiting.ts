import { AbortedError } from "./errors.ts";

/** The error of an aborted call. The signal's reason is its cause. */
export const abortedBy = (signal: AbortSignal): AbortedError =>
  new AbortedError("The call was ended by its signal.", { cause: signal.reason });

/** Throws if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortedBy(signal);
}

/** Waits. Rejects with an `AbortedError` as soon as the signal aborts. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortedBy(signal));
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      if (signal !== undefined) reject(abortedBy(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/**
 * Runs several calls within a time limit. Throws `late()` if the time limit aborted them, rather than the caller's
 * signal.
 */
export async function withLimit<T>(
  limitMs: number,
  caller: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
  late: () => Error,
): Promise<T> {
  const limit = limitAttempt(limitMs, caller);
  try {
    return await run(limit.signal);
  } catch (error) {
    throw error instanceof AbortedError && limit.isTimeUp() && caller?.aborted !== true ? late() : error;
  } finally {
    limit.release();
  }
}

/** A signal that aborts an attempt on timeout or when the caller's signal aborts. Call `release` after the attempt. */
export interface AttemptLimit {
  readonly signal: AbortSignal;
  readonly isTimeUp: () => boolean;
  /** Keeps the caller's signal connected after `release`, for a body that the caller reads later. */
  readonly keepSignal: () => void;
  readonly release: () => void;
}

export function limitAttempt(timeoutMs: number, caller: AbortSignal | undefined): AttemptLimit {
  const controller = new AbortController();
  let isTimeUp = false;
  let isHandedOver = false;
  const onAbort = (): void => controller.abort(caller?.reason);
  if (caller?.aborted) onAbort();
  caller?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => {
    isTimeUp = true;
    controller.abort();
  }, timeoutMs);
  return {
    signal: controller.signal,
    isTimeUp: () => isTimeUp,
    keepSignal: () => {
      isHandedOver = true;
    },
    release: () => {
      clearTimeout(timer);
      if (!isHandedOver) caller?.removeEventListener("abort", onAbort);
    },
  };
}
