/** Result of a message's work. All but `retry` acknowledge the message. */
export type MessageResult =
  /** Nothing remains to do for this message. */
  | { readonly kind: "done" }
  /** The queue retries the message after this time. */
  | { readonly kind: "retry"; readonly afterMs: number }
  /** The last attempt failed, and the work has ended. */
  | { readonly kind: "exhausted" }
  /** The work waits for another message, which the sweep sends. */
  | { readonly kind: "pending" };

export const DONE: MessageResult = { kind: "done" };
export const EXHAUSTED: MessageResult = { kind: "exhausted" };
export const PENDING: MessageResult = { kind: "pending" };
export const retryAfter = (afterMs: number): MessageResult => ({ kind: "retry", afterMs });

/**
 * Seconds until the next attempt after `attempts` attempts; null after the last. The schedule's wait, or Retry-After if
 * that is longer, up to the schedule's longest wait.
 */
export function secondsToNextAttempt(
  schedule: readonly number[],
  attempts: number,
  retryAfterSeconds: number | null,
): number | null {
  const scheduled = schedule[attempts - 1];
  return scheduled === undefined
    ? null
    : Math.max(scheduled, Math.min(retryAfterSeconds ?? 0, Math.max(...schedule)));
}
