import { expect } from "vitest";
import { PLAN_GRACE_MS } from "#domains/ledger/plan.ts";
import { everyDatabase } from "#platform/databases/databases.ts";
import { selectRows } from "../support/database.ts";
import { anyDatabase, boundDatabases, databaseOfWorkspace } from "../support/homes.ts";
import type { Buyer, History } from "./history.ts";
import { keptOf, type ProviderPayment } from "./provider-payments.ts";
import { isEnded, type ProviderPlan, paidPeriodOf } from "./provider-plans.ts";

/** The expected state of the service after all events, computed only from the provider's state. */

/**
 * Expected credits of a payment: those bought, times the share of the money that was kept
 * (src/domains/billing/README.md).
 */
const keptCredits = (payment: ProviderPayment): number =>
  Math.floor((payment.credits * keptOf(payment)) / payment.intent.amount);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

interface StoredBuyer {
  readonly credits: number;
  readonly owed: number;
  /** Credits granted and withdrawn by payments. `spent` is the net cost of jobs. */
  readonly bought: number;
  readonly spent: number;
}

const BUYER = `SELECT credits,
    (SELECT COALESCE(SUM(credits_owed), 0) FROM payments p WHERE p.workspace_id = w.workspace_id) AS owed,
    (SELECT COALESCE(SUM(amount), 0) FROM ledger_events e WHERE e.workspace_id = w.workspace_id
      AND source = 'credits' AND reference LIKE 'stripe:%') AS bought,
    (SELECT COALESCE(-SUM(amount), 0) FROM ledger_events e WHERE e.workspace_id = w.workspace_id
      AND source = 'credits' AND job_id IS NOT NULL) AS spent
  FROM workspaces w WHERE workspace_id = ?1`;

/** Checks balances and owed credits against the provider's money. */
async function expectMoney(buyer: Buyer, payments: readonly ProviderPayment[]): Promise<void> {
  const stored = await anyDatabase().prepare(BUYER).bind(buyer.workspaceId).first<StoredBuyer>();
  if (stored === null) throw new Error("the workspace is gone");
  const kept = sum(payments.map(keptCredits));
  expect(
    { credits: stored.credits, bought: stored.bought - stored.owed },
    "the balance, and what was bought",
  ).toEqual({ credits: buyer.granted + kept + stored.owed - stored.spent, bought: kept });
  expect(stored.credits).toBeGreaterThanOrEqual(0);
}

interface StoredPayment {
  readonly payment_id: string;
  readonly credits_held: number;
  readonly credits_owed: number;
}

const nameOf = (payment: ProviderPayment): string => payment.invoiceId ?? payment.intent.id;

/** Checks that each payment is stored with its credits, except those of invoices that wait for another plan's end. */
async function expectPayments(
  buyer: Buyer,
  payments: readonly ProviderPayment[],
  waiting: ReadonlySet<string>,
): Promise<void> {
  const results = await selectRows<StoredPayment>`SELECT payment_id, credits_held, credits_owed FROM payments
    WHERE workspace_id = ${buyer.workspaceId}`;
  const stored = new Map(results.map((row) => [row.payment_id, row.credits_held - row.credits_owed]));
  const paid = payments.filter((payment) => payment.status === "succeeded" && !waiting.has(nameOf(payment)));
  expect([...stored.keys()].sort(), "payments").toEqual(paid.map(nameOf).sort());
  for (const payment of paid) {
    const held = { payment: nameOf(payment), held: stored.get(nameOf(payment)) };
    expect(held, "what the ledger holds of it").toEqual({ ...held, held: keptCredits(payment) });
  }
}

interface StoredPlan {
  readonly id: string | null;
  readonly status: string;
  readonly quotaLimit: number;
  readonly periodStart: number;
  readonly periodEnd: number;
  readonly cancelAt: number | null;
  readonly endedAt: number | null;
  readonly paysUntil: number | null;
}

const toMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1_000);

/**
 * The expected row of a plan in its last paid period; null if none was paid. It stays active while its paid quota may
 * be used.
 */
function planAs(plan: ProviderPlan, isReplaced: boolean): StoredPlan | null {
  const paid = paidPeriodOf(plan);
  if (paid === null) return null;
  const { id, cancelAt, endedAt } = plan.facts;
  const isOver = endedAt !== null && endedAt >= paid.end;
  const isLast = endedAt !== null || (cancelAt !== null && cancelAt <= paid.end);
  const paysUntil = paid.end * 1_000 + (isLast ? 0 : PLAN_GRACE_MS);
  return {
    id,
    status: isOver || isReplaced ? "canceled" : "active",
    quotaLimit: paid.offer.quota,
    periodStart: paid.start * 1_000,
    periodEnd: paid.end * 1_000,
    cancelAt: toMs(cancelAt),
    endedAt: toMs(endedAt),
    paysUntil: keptOf(paid.payment) > 0 ? paysUntil : 0,
  };
}

const byId = (left: StoredPlan, right: StoredPlan): number => String(left.id).localeCompare(String(right.id));

/**
 * Checks that plans are in their last paid period and that the newest is active. While several plans of a workspace are
 * alive, nothing is checked, because the active one depends on the order of events. Once they have ended, only their
 * periods are checked.
 */
async function expectPlans(
  { world, crowded }: History,
  buyer: Buyer,
  plans: readonly ProviderPlan[],
): Promise<void> {
  const isCrowded = crowded.has(buyer.workspaceId);
  const living = plans.filter((plan) => !isEnded(plan));
  if (living.length > 1) return;
  const placed = isCrowded ? living[0] : plans.at(-1);
  const found =
    await selectRows<StoredPlan>`SELECT provider_subscription_id AS id, status, quota_limit AS quotaLimit,
      period_start AS periodStart, period_end AS periodEnd, cancel_at AS cancelAt, ended_at AS endedAt,
      pays_until AS paysUntil
    FROM subscriptions WHERE workspace_id = ${buyer.workspaceId}`;
  const expected = plans.map((plan) => planAs(plan, plan !== placed)).filter((plan) => plan !== null);
  const shown = (plan: StoredPlan) => {
    const isAsked = !isCrowded || (plan.id === placed?.facts.id && Number(plan.paysUntil) > world.nowMs);
    return { ...plan, status: isAsked ? plan.status : "any" };
  };
  expect(found.sort(byId).map(shown), "plans").toEqual(expected.sort(byId).map(shown));
}

/**
 * Returns one row for each violated invariant of payments. test/property/stored-state.ts has the invariants of jobs.
 */
const BROKEN = `WITH w AS (SELECT value AS id FROM json_each(?1))
  SELECT 'balance' AS what, workspace_id AS id FROM workspaces WHERE workspace_id IN (SELECT id FROM w)
    AND (credits < 0 OR credits <> (SELECT COALESCE(SUM(amount), 0) FROM ledger_events e
      WHERE e.workspace_id = workspaces.workspace_id AND source = 'credits'))
  UNION ALL SELECT 'granted twice', p.payment_id FROM payments p WHERE p.workspace_id IN (SELECT id FROM w)
    AND p.credits > 0 AND 1 <> (SELECT COUNT(*) FROM ledger_events e
      WHERE e.reference = 'stripe:' || p.payment_id || ':grant' AND e.amount = p.credits)
  UNION ALL SELECT 'quota', subscription_id FROM subscriptions s WHERE workspace_id IN (SELECT id FROM w)
    AND quota_used <> (SELECT COALESCE(-SUM(amount), 0) FROM ledger_events e
      WHERE e.subscription_id = s.subscription_id AND e.subscription_period_start = s.period_start)
  UNION ALL SELECT 'foreign rows', event_id FROM ledger_events e JOIN jobs ON jobs.job_id = e.job_id
    WHERE jobs.workspace_id IN (SELECT id FROM w) AND e.workspace_id <> jobs.workspace_id`;

interface Unapplied {
  readonly eventId: string;
  readonly type: string;
  readonly outcome: string;
  readonly facts: string;
}

/** Events that no database has applied or passed on. */
async function unappliedOf(eventIds: readonly string[]): Promise<readonly Unapplied[]> {
  const found: Unapplied[] = [];
  for (const { db } of everyDatabase(boundDatabases())) {
    const { results } = await db
      .prepare(
        `SELECT event_id AS eventId, type, outcome, facts FROM billing_events
         WHERE event_id IN (SELECT value FROM json_each(?1))`,
      )
      .bind(JSON.stringify(eventIds))
      .all<Unapplied>();
    found.push(...results);
  }
  const settled = new Set(
    found.filter(({ outcome }) => ["applied", "ignored"].includes(outcome)).map(({ eventId }) => eventId),
  );
  return found.filter(({ eventId }) => !settled.has(eventId));
}

/**
 * Every accepted event must be stored once with its outcome. An event may only wait if its workspace has two live
 * plans. Returns the invoices that wait.
 */
async function expectOutcomes({ accepted, plans, crowded }: History): Promise<ReadonlySet<string>> {
  const results = await unappliedOf(accepted.map(({ id }) => id));
  const mayWait = plans.filter(
    ({ workspaceId }) =>
      crowded.has(workspaceId) &&
      plans.filter((plan) => plan.workspaceId === workspaceId && !isEnded(plan)).length > 1,
  );
  const names = mayWait.flatMap(({ facts, invoices }) => [
    facts.id,
    ...invoices.flatMap(({ id, payment }) => [id, payment.intent.id]),
  ]);
  const unforeseen = results.filter(
    ({ outcome, facts }) => outcome !== "waiting" || !names.some((name) => facts.includes(name)),
  );
  expect(unforeseen, "events that were not applied").toEqual([]);
  return new Set(
    results
      .filter(({ type }) => type === "invoice.paid")
      .map(({ facts }) => String(JSON.parse(facts).invoiceId)),
  );
}

/** Compares the stored state with the provider's, once every event was accepted. */
export async function expectAgreement(history: History): Promise<void> {
  const { buyers, payments, plans } = history;
  const results: unknown[] = [];
  for (const { workspaceId } of buyers) {
    const db = await databaseOfWorkspace(workspaceId);
    results.push(
      ...(
        await db
          .prepare(BROKEN)
          .bind(JSON.stringify([workspaceId]))
          .all()
      ).results,
    );
  }
  const waiting = await expectOutcomes(history);
  for (const buyer of buyers) {
    const own = <T extends { readonly workspaceId: string }>(items: readonly T[]): readonly T[] =>
      items.filter(({ workspaceId }) => workspaceId === buyer.workspaceId);
    const invoiced = own(plans).flatMap(({ invoices }) => invoices.map(({ payment }) => payment));
    await expectPayments(buyer, [...own(payments), ...invoiced], waiting);
    await expectMoney(buyer, own(payments));
    await expectPlans(history, buyer, own(plans));
  }
  expect(results, "promises broken").toEqual([]);
}
