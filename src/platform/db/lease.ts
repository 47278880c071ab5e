import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** Clocks of two machines differ; a message that comes early by this much is not early. */
export const EARLY_MS_MAX = 2_000;
/** A message that is not received this long after its work was due may be lost. */
export const STALE_MS = 60_000;
/** A message is sent again this long after it was sent. */
export const RESEND_AFTER_MS = 10 * 60_000;

/** One attempt at the work of a queue message: what may hold a lease on a row. */
export interface LeaseHolder {
  /** The message: the same in each of its attempts. */
  readonly messageId: string;
  /** `<messageId>/<attemptId>`: this attempt alone. */
  readonly leaseId: string;
}

/** The holder of an attempt. `attemptId` is unique. */
export const leaseHolder = (messageId: string, attemptId: string): LeaseHolder => ({
  messageId,
  leaseId: `${messageId}/${attemptId}`,
});

/**
 * True when a lease is held by an attempt at the message. A message has one attempt at a time, so an earlier one of it
 * has crashed, and a new one need not wait for its lease to end.
 */
export const isHeldByMessage = (leaseId: SQLWrapper, messageId: SQLWrapper): SQL =>
  sql`substr(${leaseId}, 1, length(${messageId}) + 1) = ${messageId} || '/'`;
