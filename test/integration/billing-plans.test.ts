import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { FactOf } from "#domains/billing/events/billing-event.ts";
import { PLAN_GRACE_MS } from "#domains/ledger/plan.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import { apply, NOW, NOW_SECONDS, paymentsOf, placeOrder } from "../support/billing.ts";
import { paidJobId, spend } from "../support/ledger.ts";
import { readPlan } from "../support/plans.ts";
import { createWorkspace } from "../support/workspace.ts";

/** test/billing/ checks later events in any order. */

const DAY = 86_400;
const MONTH = 30 * DAY;

let plans = 0;

/** A plan of 10 credits a month, and the provider's facts about it. */
async function orderPlan(workspaceId?: string) {
  const owner = workspaceId ?? (await createWorkspace()).workspaceId;
  const { orderId } = await placeOrder(owner, { kind: "plan", credits: 0, quota: 10 });
  plans += 1;
  const subscriptionId = `sub_${orderId}`;
  const names = { orderId, subscriptionId };
  const startOf = (month: number) => NOW_SECONDS + month * MONTH;
  const invoice = (month: number, changes: Partial<FactOf<"invoice-paid">> = {}): FactOf<"invoice-paid"> => ({
    kind: "invoice-paid",
    invoiceId: `in_${plans}_${month}_${orderId}`,
    ...names,
    intentId: `pi_${month}_${orderId}`,
    amount: 1_900,
    currency: "eur",
    plan: { offerId: "studio", quota: 10 },
    periodStart: startOf(month),
    periodEnd: startOf(month + 1),
    receiptUrl: null,
    ...changes,
  });
  const change = (changes: Partial<FactOf<"subscription-changed">> = {}): FactOf<"subscription-changed"> => ({
    kind: "subscription-changed",
    ...names,
    status: "active",
    cancelAt: null,
    endedAt: null,
    ...changes,
  });
  return { workspaceId: owner, subscriptionId, startOf, invoice, change };
}

const accessAt = async (workspaceId: string, seconds: number) =>
  (await readPaidAccess(env.DB, workspaceId, seconds * 1_000)).subscription;

describe("a paid invoice", () => {
  it("grants the plan's quota, and is stored as a payment with its period (API §19.12)", async () => {
    const { workspaceId, subscriptionId, invoice, startOf } = await orderPlan();
    expect(await apply(invoice(0))).toBe("applied");
    expect(await accessAt(workspaceId, NOW_SECONDS)).toMatchObject({ quotaLimit: 10, quotaUsed: 0 });
    expect(await readPlan(subscriptionId)).toMatchObject({
      planId: "studio",
      periodStart: NOW,
      periodEnd: startOf(1) * 1_000,
      paysUntil: startOf(1) * 1_000 + PLAN_GRACE_MS,
    });
    expect(await paymentsOf(workspaceId)).toMatchObject([
      { kind: "plan", offer_id: "studio", amount: 1_900, credits: 0, period_start: NOW },
    ]);
  });

  it("of a larger plan raises the quota of the paid period", async () => {
    const { workspaceId, invoice } = await orderPlan();
    await apply(invoice(0));
    await paidJobId(spend(workspaceId, 8, NOW));
    const upgrade = { plan: { offerId: "agency", quota: 50 }, periodStart: NOW_SECONDS + DAY };
    await apply(invoice(0, { ...upgrade, invoiceId: "in_upgrade", intentId: "pi_upgrade", amount: 700 }));
    expect(await accessAt(workspaceId, NOW_SECONDS + DAY)).toMatchObject({ quotaLimit: 50, quotaUsed: 8 });
  });

  it("for a price that is no longer offered grants the ordered quota", async () => {
    const { workspaceId, invoice } = await orderPlan();
    await apply(invoice(0, { plan: null }));
    expect(await accessAt(workspaceId, NOW_SECONDS)).toMatchObject({ quotaLimit: 10 });
  });

  it("for an unknown order is refused", async () => {
    const { invoice } = await orderPlan();
    expect(await apply(invoice(0, { orderId: "another" }))).toBe("refused");
  });
});

describe("a second plan of a workspace", () => {
  it("is refused if an operator has granted a subscription", async () => {
    const { workspaceId } = await createWorkspace({ quota: 5 });
    expect(await apply((await orderPlan(workspaceId)).invoice(0))).toBe("refused");
  });
});
