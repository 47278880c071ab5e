import { insertCreditEvent } from "#domains/ledger/store.ts";
import { latest } from "#platform/db/reader.ts";
import { isOutdated } from "../events/event-store.ts";
import { paymentStatements, suspensionStatements } from "./decide-payment.ts";
import { collectionEffect } from "./payment-effects.ts";
import { type BilledWorkspace, owingPayments, workspacesToCollectFrom } from "./payment-store.ts";

/**
 * Collects a workspace's owed credits. False when nothing could be collected or its state changed meanwhile; the next
 * sweep retries.
 */
async function collect(db: D1Database, workspace: BilledWorkspace, nowMs: number): Promise<boolean> {
  const { workspaceId } = workspace;
  const owing = await owingPayments.all(latest(db), { workspaceId });
  const { ledger, writes, suspension } = collectionEffect(workspace, owing);
  if (writes.length === 0) return false;
  try {
    await db.batch([
      ...ledger.map((entry) => insertCreditEvent.bind(db, { ...entry, nowMs })),
      ...writes.flatMap((write) => paymentStatements(db, write, nowMs)),
      ...suspensionStatements(db, workspaceId, suspension, nowMs),
    ]);
    return true;
  } catch (thrown) {
    if (isOutdated(thrown)) return false;
    throw thrown;
  }
}

/**
 * Collects owed credits from workspaces that have credits again, after a refunded job or an operator's grant. Returns
 * the number of workspaces that paid.
 */
export async function collectOwed(db: D1Database, nowMs: number, limit: number): Promise<number> {
  let count = 0;
  for (const workspace of await workspacesToCollectFrom.all(latest(db), { limit })) {
    if (await collect(db, workspace, nowMs)) count += 1;
  }
  return count;
}
