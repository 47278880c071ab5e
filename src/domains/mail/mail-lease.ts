import { MAIL_ATTEMPTS_MAX, MAIL_BACKOFF_SECONDS, MAIL_LIMITS } from "#api/mail-rules.ts";
import type { AttemptResult } from "./attempt-mail.ts";
import {
  type ClaimedMail,
  delayMail,
  endExhaustedMail,
  endExpiredMail,
  releaseMailMessage,
  settleMail,
} from "./attempt-store.ts";
import { suppressAddress } from "./suppression-store.ts";

/**
 * Settles a mail that could not be claimed though it is free. `exhausted`: its last attempt crashed, or its time has
 * passed, and it has ended. `pending`: it waits for another queue message. `done`: there is nothing to settle.
 */
export async function settleUnclaimedMail(
  db: D1Database,
  attempt: { readonly messageId: string; readonly queueMessageId: string; readonly nowMs: number },
): Promise<"exhausted" | "pending" | "done"> {
  const [exhausted, expired, waiting] = await db.batch([
    endExhaustedMail.bind(db, attempt),
    endExpiredMail.bind(db, attempt),
    releaseMailMessage.bind(db, attempt),
  ]);
  if ((exhausted?.meta.changes ?? 0) + (expired?.meta.changes ?? 0) > 0) return "exhausted";
  return (waiting?.meta.changes ?? 0) > 0 ? "pending" : "done";
}

/** Seconds from the last of `attempts` to the next one by the schedule, or by Retry-After where that is longer. */
function secondsToNextAttempt(attempts: number, retryAfterSeconds: number | null): number | null {
  const scheduled = MAIL_BACKOFF_SECONDS[attempts - 1];
  if (attempts >= MAIL_ATTEMPTS_MAX || scheduled === undefined) return null;
  return Math.max(scheduled, Math.min(retryAfterSeconds ?? 0, MAIL_LIMITS.retryAfterSecondsMax));
}

/** How a settled attempt left the mail. */
export type Settled =
  | { readonly kind: "ended" }
  | { readonly kind: "exhausted" }
  | { readonly kind: "delayed"; readonly seconds: number };

/**
 * Writes the result of an attempt, unless its lease is lost. An address that the provider sends nothing is suppressed in the
 * same batch. A mail whose next attempt would come after its time has ended.
 */
export async function settleAttempt(
  db: D1Database,
  { messageId, address, attempts, expiresAtMs }: ClaimedMail,
  leaseId: string,
  result: AttemptResult,
  nowMs: number,
): Promise<Settled> {
  const lease = { messageId, leaseId, nowMs };
  switch (result.kind) {
    case "sent":
      await settleMail.run(db, { ...lease, status: "sent", failureCode: null });
      return { kind: "ended" };
    case "suppressed": {
      const writes = [settleMail.bind(db, { ...lease, status: "suppressed", failureCode: null })];
      if (result.reason !== null) {
        writes.push(suppressAddress.bind(db, { address, reason: result.reason, nowMs }));
      }
      await db.batch(writes);
      return { kind: "ended" };
    }
    case "refused":
    case "unreadable": {
      const failureCode = result.kind === "refused" ? "REFUSED" : "UNREADABLE";
      await settleMail.run(db, { ...lease, status: "failed", failureCode });
      return { kind: "ended" };
    }
    case "unavailable": {
      const seconds = secondsToNextAttempt(attempts, result.retryAfterSeconds);
      const nextAttemptAtMs = nowMs + (seconds ?? 0) * 1_000;
      if (seconds !== null && nextAttemptAtMs < expiresAtMs) {
        await delayMail.run(db, { ...lease, nextAttemptAtMs });
        return { kind: "delayed", seconds };
      }
      const failureCode = seconds === null ? "EXHAUSTED" : "EXPIRED";
      await settleMail.run(db, { ...lease, status: "failed", failureCode });
      return { kind: "exhausted" };
    }
  }
}
