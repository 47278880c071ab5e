/** What became of a message's work. All but `retry` acknowledge the message. */
export type MessageResult =
  /** Nothing is left to do for this message. */
  | { readonly kind: "done" }
  /** The queue sends the message again after this time. */
  | { readonly kind: "retry"; readonly afterMs: number }
  /** The work had all its attempts and has ended. */
  | { readonly kind: "exhausted" }
  /** The work waits for another message, which the sweep sends. */
  | { readonly kind: "pending" };

export const DONE: MessageResult = { kind: "done" };
export const EXHAUSTED: MessageResult = { kind: "exhausted" };
export const PENDING: MessageResult = { kind: "pending" };
export const retryAfter = (afterMs: number): MessageResult => ({ kind: "retry", afterMs });

/**
 * Seconds from the last of `attempts` to the next one, or null when there is none: by the schedule, or by Retry-After where
 * that is longer, up to the longest wait of the schedule.
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
