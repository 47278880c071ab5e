import { clock } from "../clock.ts";
import type { LeaseHolder } from "../db/lease.ts";
import type { Claim, Lease, LeasedRows, MessageAttempt } from "../db/leased-rows.ts";
import type { Statement } from "../db/statement.ts";
import { newId } from "../ids.ts";
import { type LogLine, log } from "../log/log.ts";
import type { MessageResult } from "./message-result.ts";

/** One kind of work under a lease. The rest of its life is the same for all: claim, attempt, settle. See README.md. */
export interface LeasedWork<Services extends { readonly db: D1Database }, Claimed, Result> {
  /** What log lines name the row by. */
  readonly logKey: "deliveryId" | "assetId" | "mailId";
  readonly rows: LeasedRows;
  /** Takes the lease and counts the attempt, in one statement, where the row may be attempted now. */
  readonly claim: Statement<Claim, Claimed>;
  /** Statements that end a free row which will not be attempted again, such as one that had all its attempts. */
  readonly endings: (db: D1Database, attempt: MessageAttempt) => readonly D1PreparedStatement[];
  /** Attempts the work once, without writing its result. Throws when a service of ours fails; all of it may be repeated. */
  readonly attempt: (services: Services, claimed: Claimed & Lease) => Promise<Result>;
  /** What the log line of an attempt shows besides its result. */
  readonly logged: (claimed: Claimed, result: Result) => Pick<LogLine, "workspaceId" | "code">;
  /** Writes the result while the lease is held. */
  readonly settle: (services: Services, claimed: Claimed & Lease, result: Result) => Promise<MessageResult>;
}

/** One attempt for a message. What it throws leaves the lease to the message's next attempt. */
export async function attemptWork<
  Services extends { readonly db: D1Database },
  Claimed extends { readonly attempts: number },
  Result extends { readonly kind: string },
>(
  work: LeasedWork<Services, Claimed, Result>,
  services: Services,
  id: string,
  { messageId, leaseId }: LeaseHolder,
): Promise<MessageResult> {
  const attempt = { id, messageId, nowMs: clock.now() };
  const claimed = await work.claim.first(services.db, { ...attempt, leaseId });
  if (claimed === null) return settleUnclaimed(work, services.db, attempt);
  const held = { ...claimed, id, leaseId };
  const startedAtMs = clock.now();
  const result = await work.attempt(services, held);
  log.line({
    event: `${work.rows.name}_${result.kind}`,
    [work.logKey]: id,
    attempt: claimed.attempts,
    durationMs: clock.now() - startedAtMs,
    ...work.logged(claimed, result),
  });
  return work.settle(services, held, result);
}

type Unclaimed = Pick<LeasedWork<never, never, never>, "rows" | "endings">;

/**
 * Settles a row that could not be claimed. `exhausted`: it has ended, often because its last attempt crashed: what crashes
 * an isolate is not retried for ever. `pending`: it is free and waits for another message. `done`: nothing to settle.
 */
async function settleUnclaimed(
  { rows, endings }: Unclaimed,
  db: D1Database,
  attempt: MessageAttempt,
): Promise<MessageResult> {
  const results = await db.batch([...endings(db, attempt), rows.release.bind(db, attempt)]);
  const [released, ...ended] = results.map(({ meta }) => meta.changes > 0).reverse();
  if (ended.includes(true)) return { kind: "exhausted" };
  return { kind: released === true ? "pending" : "done" };
}

/** Settles a row whose message the queue gave up. A row under another message's lease is left to that message. */
export const settleDeadLetter = (work: Unclaimed, db: D1Database, id: string): Promise<MessageResult> =>
  settleUnclaimed(work, db, { id, messageId: newId(), nowMs: clock.now() });
