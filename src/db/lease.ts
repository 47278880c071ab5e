import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

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
