import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { FactOf } from "#domains/billing/events/billing-event.ts";
import { PLAN_GRACE_MS } from "#domains/ledger/plan.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import { apply, NOW, NOW_SECONDS, paymentsOf, placeOrder } from "../support/billing.ts";
import { selectRows } from "../support/database.ts";
import { covered, spend } from "../support/ledger.ts";
import { readPlan } from "../support/plans.ts";
import { createWorkspace } from "../support/workspace.ts";

/** Guarantee: a plan is what its paid invoices and the provider's last word make it, in whatever order and however often
 * they are told; money that went back pays for nothing. */

const DAY = 86_400;
const MONTH = 30 * DAY;

let plans = 0;

/** A plan of 10 credits a month, and the facts that the provider tells of it. */
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
  it("gives the quota of its price, and is a payment with its period (API §19.12)", async () => {
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

  it("opens the next period; one that is told of later than the next opens nothing (API §19.12)", async () => {
    const { workspaceId, invoice, startOf } = await orderPlan();
    await apply(invoice(0));
    await apply(invoice(2));
    await covered(spend(workspaceId, 4, startOf(2) * 1_000));
    expect(await apply(invoice(1))).toBe("applied");
    expect(await accessAt(workspaceId, startOf(2))).toMatchObject({
      quotaUsed: 4,
      periodStart: startOf(2) * 1_000,
    });
    expect(await paymentsOf(workspaceId)).toHaveLength(3);
  });

  it("of a larger plan raises the quota of the period that it pays", async () => {
    const { workspaceId, invoice } = await orderPlan();
    await apply(invoice(0));
    await covered(spend(workspaceId, 8, NOW));
    const upgrade = { plan: { offerId: "agency", quota: 50 }, periodStart: NOW_SECONDS + DAY };
    await apply(invoice(0, { ...upgrade, invoiceId: "in_upgrade", intentId: "pi_upgrade", amount: 700 }));
    expect(await accessAt(workspaceId, NOW_SECONDS + DAY)).toMatchObject({ quotaLimit: 50, quotaUsed: 8 });
  });

  it("of a price that is no more in the list gives what was ordered", async () => {
    const { workspaceId, invoice } = await orderPlan();
    await apply(invoice(0, { plan: null }));
    expect(await accessAt(workspaceId, NOW_SECONDS)).toMatchObject({ quotaLimit: 10 });
  });

  it("that failed changes nothing", async () => {
    const { subscriptionId, invoice, change } = await orderPlan();
    await apply(invoice(0));
    const before = await readPlan(subscriptionId);
    const { invoiceId } = invoice(1);
    expect(await apply({ ...change(), kind: "invoice-failed", invoiceId })).toBe("ignored");
    expect(await readPlan(subscriptionId)).toEqual(before);
  });

  it("of no order of ours is refused", async () => {
    const { invoice } = await orderPlan();
    expect(await apply(invoice(0, { orderId: "another" }))).toBe("refused");
  });
});

describe("a second plan of a workspace", () => {
  it("waits while the first is there, and opens when that is over", async () => {
    const { workspaceId, invoice, change } = await orderPlan();
    const second = await orderPlan(workspaceId);
    await apply(invoice(0));
    expect(await apply(second.invoice(0))).toBe("waiting");
    expect(await paymentsOf(workspaceId)).toHaveLength(1);
    await apply(change({ status: "canceled", endedAt: NOW_SECONDS + DAY }));
    expect(await paymentsOf(workspaceId)).toHaveLength(2);
    expect(await readPlan(second.subscriptionId)).toMatchObject({ paysUntil: expect.any(Number) });
  });

  it("is refused beside a subscription that an operator granted", async () => {
    const { workspaceId } = await createWorkspace({ quota: 5 });
    expect(await apply((await orderPlan(workspaceId)).invoice(0))).toBe("refused");
  });

  it("takes the place of one that has ended", async () => {
    const { workspaceId, invoice, change } = await orderPlan();
    const second = await orderPlan(workspaceId);
    await apply(invoice(0));
    await apply(change({ status: "canceled", endedAt: NOW_SECONDS + DAY }));
    expect(await apply(second.invoice(0))).toBe("applied");
    expect(await readPlan(second.subscriptionId)).toMatchObject({ status: "active" });
    // What is told of the first no longer takes it back.
    await apply(change({ status: "canceled", endedAt: NOW_SECONDS + DAY }));
    expect(await apply(invoice(1))).toBe("applied");
    expect(await readPlan(second.subscriptionId)).toMatchObject({ status: "active" });
    expect(await accessAt(workspaceId, NOW_SECONDS)).toMatchObject({ quotaUsed: 0 });
  });
});

describe("the provider's last word", () => {
  it("cancels for the period's end: no days after it", async () => {
    const { workspaceId, invoice, change, startOf } = await orderPlan();
    await apply(invoice(0));
    await apply(change({ cancelAt: startOf(1) }));
    expect(await accessAt(workspaceId, startOf(1) - 1)).not.toBeNull();
    expect(await accessAt(workspaceId, startOf(1))).toBeNull();
  });

  it("ends a plan at once and leaves what was paid for until the period's end (API §19.12)", async () => {
    const { workspaceId, subscriptionId, invoice, change, startOf } = await orderPlan();
    await apply(invoice(0));
    await apply(change({ status: "canceled", endedAt: NOW_SECONDS + DAY }));
    await covered(spend(workspaceId, 10, startOf(1) * 1_000 - 1));
    expect(await accessAt(workspaceId, startOf(1))).toBeNull();
    expect((await readPlan(subscriptionId)).endedAt).toBe((NOW_SECONDS + DAY) * 1_000);
  });

  it("is the latest one, and the end is final", async () => {
    const { subscriptionId, invoice, change, startOf } = await orderPlan();
    await apply(invoice(0));
    await apply(change({ cancelAt: startOf(1) }), NOW_SECONDS + 20);
    await apply(change(), NOW_SECONDS + 10);
    expect((await readPlan(subscriptionId)).cancelAt).toBe(startOf(1) * 1_000);
    await apply(change({ status: "canceled", endedAt: NOW_SECONDS + 30 }), NOW_SECONDS + 30);
    await apply(change(), NOW_SECONDS + 40);
    expect((await readPlan(subscriptionId)).endedAt).toBe((NOW_SECONDS + 30) * 1_000);
  });

  it("waits for the invoice that makes the plan known", async () => {
    const { workspaceId, invoice, change, startOf } = await orderPlan();
    expect(await apply(change({ cancelAt: startOf(1) }))).toBe("waiting");
    await apply(invoice(0));
    expect(await accessAt(workspaceId, startOf(1))).toBeNull();
  });
});

describe("the money of a plan", () => {
  const refunded = (paymentId: string, amountRefunded: number) =>
    ({ kind: "refunded", paymentId, amountRefunded, receiptUrl: null }) as const;

  it("that went back whole ends what its period pays; a part of it does not", async () => {
    const { workspaceId, invoice } = await orderPlan();
    await apply(invoice(0));
    await apply(refunded(invoice(0).intentId ?? "", 1_899));
    expect(await accessAt(workspaceId, NOW_SECONDS)).toMatchObject({ quotaLimit: 10 });
    await apply(refunded(invoice(0).intentId ?? "", 1_900));
    expect(await accessAt(workspaceId, NOW_SECONDS)).toBeNull();
    expect(await paymentsOf(workspaceId)).toMatchObject([{ amount_refunded: 1_900 }]);
  });

  it("that is in dispute pays nothing until the dispute is won", async () => {
    const { workspaceId, invoice } = await orderPlan();
    await apply(invoice(0));
    const dispute = { paymentId: invoice(0).intentId ?? "", disputeId: "dp", amount: 1_900, currency: "eur" };
    await apply({ kind: "disputed", ...dispute, status: "open" }, NOW_SECONDS + 1);
    expect(await accessAt(workspaceId, NOW_SECONDS)).toBeNull();
    await apply({ kind: "disputed", ...dispute, status: "won" }, NOW_SECONDS + 2);
    expect(await accessAt(workspaceId, NOW_SECONDS)).toMatchObject({ quotaLimit: 10 });
  });

  it("of an earlier period leaves the present one as it is", async () => {
    const { workspaceId, invoice, startOf } = await orderPlan();
    await apply(invoice(0));
    await apply(invoice(1));
    await apply(refunded(invoice(0).intentId ?? "", 1_900));
    expect(await accessAt(workspaceId, startOf(1))).toMatchObject({ quotaLimit: 10 });
  });

  it("that went back before anything was told of it pays nothing", async () => {
    const { workspaceId, invoice } = await orderPlan();
    const { intentId, invoiceId } = invoice(0);
    expect(await apply(refunded(intentId ?? "", 1_900))).toBe("waiting");
    expect(await apply({ kind: "invoice-intent", invoiceId, intentId: intentId ?? "" })).toBe("waiting");
    expect(await apply(invoice(0, { intentId: null }))).toBe("applied");
    expect(await accessAt(workspaceId, NOW_SECONDS)).toBeNull();
    expect(
      await selectRows`SELECT * FROM billing_events WHERE outcome = 'waiting' AND object_id IN (${intentId}, ${invoiceId})`,
    ).toEqual([]);
  });

  it("is found when the intent is told of last", async () => {
    const { workspaceId, invoice } = await orderPlan();
    const { intentId, invoiceId } = invoice(0);
    await apply(invoice(0, { intentId: null }));
    await apply(refunded(intentId ?? "", 1_900));
    expect(await accessAt(workspaceId, NOW_SECONDS)).not.toBeNull();
    expect(await apply({ kind: "invoice-intent", invoiceId, intentId: intentId ?? "" })).toBe("applied");
    expect(await accessAt(workspaceId, NOW_SECONDS)).toBeNull();
  });
});
