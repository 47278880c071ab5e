import { clock } from "../clock.ts";
import type { LeaseHolder } from "../db/lease.ts";
import type { Claim, Lease, LeasedRows, MessageAttempt } from "../db/leased-rows.ts";
import type { Statement } from "../db/statement.ts";
import { newId } from "../ids.ts";
import { type LogLine, log } from "../log/log.ts";
import type { MessageResult } from "./message-result.ts";

/** One kind of leased work. All kinds share the protocol: claim, attempt, settle. See README.md. */
export interface LeasedWork<Services extends { readonly db: D1Database }, Claimed, Result> {
  /** Name of the row's id in log lines. */
  readonly logKey: "deliveryId" | "assetId" | "mailId";
  readonly rows: LeasedRows;
  /** Takes the lease and counts the attempt in one statement, if the row is due. */
  readonly claim: Statement<Claim, Claimed>;
  /** Statements that end a row without an active lease, if it has no attempts left or is no longer useful. */
  readonly endings: (db: D1Database, attempt: MessageAttempt) => readonly D1PreparedStatement[];
  /**
   * Attempts the work once, without writing its result. Throws if one of our services fails; the attempt may then be
   * repeated.
   */
  readonly attempt: (services: Services, claimed: Claimed & Lease) => Promise<Result>;
  /** Additional fields of an attempt's log line. */
  readonly logged: (claimed: Claimed, result: Result) => Pick<LogLine, "workspaceId" | "code">;
  /** Writes the result while the lease is held. */
  readonly settle: (services: Services, claimed: Claimed & Lease, result: Result) => Promise<MessageResult>;
}

/** Runs one attempt for a message. If it throws, the message's next attempt takes over the lease. */
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
 * Settles a row that could not be claimed. `exhausted`: the row has ended, often because its last attempt crashed.
 * `pending`: the row has no active lease and waits for another message. `done`: nothing to do.
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

/** Settles a dead letter's row, unless another message holds its lease. */
export const settleDeadLetter = (work: Unclaimed, db: D1Database, id: string): Promise<MessageResult> =>
  settleUnclaimed(work, db, { id, messageId: newId(), nowMs: clock.now() });
