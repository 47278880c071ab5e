import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** Tolerance for clock skew between machines: a message may arrive this early. */
export const EARLY_MS_MAX = 2_000;
/** A message that has not arrived this long after its work was due may be lost. */
export const STALE_MS = 60_000;
/** Minimum time between two messages for the same work. */
export const RESEND_AFTER_MS = 10 * 60_000;

/** One attempt of a queue message, which may hold the lease on a row. */
export interface LeaseHolder {
  /** The same in each attempt of the message. */
  readonly messageId: string;
  /** `<messageId>/<attemptId>`: unique for this attempt. */
  readonly leaseId: string;
}

/** Creates an attempt's lease holder. `attemptId` must be unique. */
export const leaseHolder = (messageId: string, attemptId: string): LeaseHolder => ({
  messageId,
  leaseId: `${messageId}/${attemptId}`,
});

/**
 * True if an attempt of the message holds the lease. A message has one attempt at a time, so the earlier attempt has
 * crashed, and the new attempt need not wait for the lease to end.
 */
export const isHeldByMessage = (leaseId: SQLWrapper, messageId: SQLWrapper): SQL =>
  sql`substr(${leaseId}, 1, length(${messageId}) + 1) = ${messageId} || '/'`;
