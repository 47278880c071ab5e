import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { EARLY_MS_MAX, isHeldByMessage, RESEND_AFTER_MS, STALE_MS } from "./lease.ts";
import { type Given, statement } from "./statement.ts";

/**
 * SQL of work that one attempt at a time does under a lease: deliveries, imports and mail. An open row has
 * `next_attempt_at`: the time of its next attempt or, while one has the lease, the lease's end, so that the row of a
 * crashed consumer is due again without any write. A row under lease has `lease_id`, a row in the queue `dispatched_at`.
 */

type LeaseColumns = Record<"leaseId" | "attempts" | "nextAttemptAt" | "dispatchedAt", SQLiteColumn>;

/** A table of leased work. */
interface LeasedTable {
  /** Of one piece of work; log events begin with it. */
  readonly name: string;
  /** The member of a message that names the row. */
  readonly messageKey: string;
  readonly table: SQLiteTable & LeaseColumns;
  /** The column that this member is of. */
  readonly id: SQLiteColumn;
  readonly leaseMs: number;
  readonly attemptsMax: number;
  /** Rows that the sweep may release; all by default. */
  readonly isSwept?: SQL;
}

/** One attempt's lease on a row. */
export interface Lease {
  readonly id: string;
  readonly leaseId: string;
}

/** A message that asks for work on a row. */
export interface MessageAttempt {
  readonly id: string;
  readonly messageId: string;
  readonly nowMs: number;
}

/** A message's attempt to take the lease. */
export type Claim = MessageAttempt & Lease;

/** The conditions and statements that all leased work has. */
export function leasedRows({ table, id, isSwept = sql`true`, ...given }: LeasedTable) {
  const { name, messageKey, leaseMs, attemptsMax } = given;
  const { leaseId, attempts, nextAttemptAt, dispatchedAt } = table;

  /** The row is due, its lease has ended, or an earlier attempt of the same message has the lease and has crashed. */
  const isFree = (given: Given<MessageAttempt>): SQL =>
    sql`${id} = ${given.id} and ${nextAttemptAt} is not null and (${nextAttemptAt} <= ${given.nowMs} + ${EARLY_MS_MAX}
      or ${leaseId} is not null and ${isHeldByMessage(leaseId, given.messageId)})`;
  const hadAllAttempts = sql`${attempts} >= ${attemptsMax}`;
  const leaseEnd = (given: Given<{ nowMs: number }>): SQL => sql`${given.nowMs} + ${leaseMs}`;
  const setDispatchedAt = sql`update ${table} set ${sql.identifier(dispatchedAt.name)}`;

  return {
    name,
    messageKey,
    isFree,
    isClaimable: (given: Given<MessageAttempt>): SQL => sql`${isFree(given)} and not ${hadAllAttempts}`,
    /** The last attempt at the row has crashed. */
    isExhausted: (given: Given<MessageAttempt>): SQL => sql`${isFree(given)} and ${hadAllAttempts}`,
    /** The attempt still has its lease. */
    isHeld: (given: Given<Lease>): SQL => sql`${id} = ${given.id} and ${leaseId} = ${given.leaseId}`,
    leaseEnd,
    /** Columns that a claim sets: the lease, and one attempt more. */
    claimed: (given: Given<Claim>) => ({
      attempts: sql`${attempts} + 1`,
      leaseId: given.leaseId,
      nextAttemptAt: leaseEnd(given),
    }),
    /** Lets a free row have another message. */
    release: statement(
      (given: Given<MessageAttempt>) => sql`${setDispatchedAt} = null where ${isFree(given)}`,
    ),
    /** Notes that messages for the rows were sent: a JSON list of their ids. */
    markDispatched: statement(
      (given: Given<{ ids: string; nowMs: number }>) =>
        sql`${setDispatchedAt} = ${given.nowMs} where ${id} in (select value from json_each(${given.ids}))`,
    ),
    /** Lets at most `limit` due rows have another message whose own may be lost. One too many does no harm. */
    releaseLost: statement(
      (given: Given<{ nowMs: number; limit: number }>) =>
        sql`${setDispatchedAt} = null where rowid in (select rowid from ${table}
          where ${nextAttemptAt} is not null and ${nextAttemptAt} <= ${given.nowMs} - ${STALE_MS}
            and ${dispatchedAt} <= ${given.nowMs} - ${RESEND_AFTER_MS} and ${isSwept} limit ${given.limit})`,
    ),
  };
}

/** What `leasedRows` made of a table. */
export type LeasedRows = ReturnType<typeof leasedRows>;
