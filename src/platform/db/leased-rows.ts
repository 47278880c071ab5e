import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { EARLY_MS_MAX, isHeldByMessage, RESEND_AFTER_MS, STALE_MS } from "./lease.ts";
import { type Given, statement } from "./statement.ts";

/**
 * SQL for rows that one attempt at a time works on under a lease: deliveries, imports and mail. An open row has
 * `next_attempt_at`: the time of its next attempt or, under a lease, the lease's expiry. So a crashed consumer's row is
 * due again without a write. A row under lease has `lease_id`; a row in the queue has `dispatched_at`.
 */

type LeaseColumns = Record<"leaseId" | "attempts" | "nextAttemptAt" | "dispatchedAt", SQLiteColumn>;

/** A table of leased work. */
interface LeasedTable {
  /** Singular name of the work, the prefix of its log events. */
  readonly name: string;
  /** The message field with the row's id. */
  readonly messageKey: string;
  readonly table: SQLiteTable & LeaseColumns;
  /** The column with the row's id. */
  readonly id: SQLiteColumn;
  readonly leaseMs: number;
  readonly attemptsMax: number;
  /** Condition for rows that the sweep may release; all by default. */
  readonly isSwept?: SQL;
}

/** One attempt's lease on a row. */
export interface Lease {
  readonly id: string;
  readonly leaseId: string;
}

/** A message's request for work on a row. */
export interface MessageAttempt {
  readonly id: string;
  readonly messageId: string;
  readonly nowMs: number;
}

/** A message's attempt to take the lease. */
export type Claim = MessageAttempt & Lease;

/** Conditions and statements shared by all leased work. */
export function leasedRows({ table, id, isSwept = sql`true`, ...given }: LeasedTable) {
  const { name, messageKey, leaseMs, attemptsMax } = given;
  const { leaseId, attempts, nextAttemptAt, dispatchedAt } = table;

  /** The row is due or its lease has expired, or a crashed attempt of the same message holds the lease. */
  const isUnleased = (given: Given<MessageAttempt>): SQL =>
    sql`${id} = ${given.id} and ${nextAttemptAt} is not null and (${nextAttemptAt} <= ${given.nowMs} + ${EARLY_MS_MAX}
      or ${leaseId} is not null and ${isHeldByMessage(leaseId, given.messageId)})`;
  const hadAllAttempts = sql`${attempts} >= ${attemptsMax}`;
  const leaseEnd = (given: Given<{ nowMs: number }>): SQL => sql`${given.nowMs} + ${leaseMs}`;
  const setDispatchedAt = sql`update ${table} set ${sql.identifier(dispatchedAt.name)}`;

  return {
    name,
    messageKey,
    isUnleased,
    isClaimable: (given: Given<MessageAttempt>): SQL => sql`${isUnleased(given)} and not ${hadAllAttempts}`,
    /** The last attempt has crashed. */
    isExhausted: (given: Given<MessageAttempt>): SQL => sql`${isUnleased(given)} and ${hadAllAttempts}`,
    /** The attempt still holds its lease. */
    isHeld: (given: Given<Lease>): SQL => sql`${id} = ${given.id} and ${leaseId} = ${given.leaseId}`,
    leaseEnd,
    /** Columns that a claim sets: the lease, and the number of attempts. */
    claimed: (given: Given<Claim>) => ({
      attempts: sql`${attempts} + 1`,
      leaseId: given.leaseId,
      nextAttemptAt: leaseEnd(given),
    }),
    /** Marks a due row without an active lease as unsent, so that the sweep sends another message. */
    release: statement(
      (given: Given<MessageAttempt>) => sql`${setDispatchedAt} = null where ${isUnleased(given)}`,
    ),
    /** Marks rows as sent to the queue. `ids` is a JSON list. */
    markDispatched: statement(
      (given: Given<{ ids: string; nowMs: number }>) =>
        sql`${setDispatchedAt} = ${given.nowMs} where ${id} in (select value from json_each(${given.ids}))`,
    ),
    /** Like `release`, for at most `limit` due rows whose message may be lost. An extra message is harmless. */
    releaseLost: statement(
      (given: Given<{ nowMs: number; limit: number }>) =>
        sql`${setDispatchedAt} = null where rowid in (select rowid from ${table}
          where ${nextAttemptAt} is not null and ${nextAttemptAt} <= ${given.nowMs} - ${STALE_MS}
            and ${dispatchedAt} <= ${given.nowMs} - ${RESEND_AFTER_MS} and ${isSwept} limit ${given.limit})`,
    ),
  };
}

export type LeasedRows = ReturnType<typeof leasedRows>;
