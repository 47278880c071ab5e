import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { deleteOldEvents } from "#domains/billing/events/event-store.ts";
import { collectOwed } from "#domains/billing/payments/collect-owed.ts";
import { deleteOldOrders } from "#domains/billing/payments/payment-store.ts";
import { newId } from "#platform/ids.ts";
import {
  apply,
  balanceOf,
  ledgerSumOf,
  NOW,
  NOW_SECONDS,
  paidFactOf,
  paymentsOf,
  placeOrder,
} from "../support/billing.ts";
import { execute, selectRow, selectRows } from "../support/database.ts";
import { failAndRefund, paidJobId, spend } from "../support/ledger.ts";
import { createWorkspace } from "../support/workspace.ts";

const DAY_MS = 86_400_000;

async function buy(workspaceId: string) {
  const paid = paidFactOf(await placeOrder(workspaceId));
  await apply(paid);
  return paid;
}

it("API §19.8 the sweep deducts owed credits from a job's refund, and ends the dispute's suspension", async () => {
  const { workspaceId } = await createWorkspace();
  const { paymentId, amount, currency } = await buy(workspaceId);
  const jobId = await paidJobId(spend(workspaceId, 60, NOW));
  const dispute = { kind: "disputed", disputeId: `du_${paymentId}`, status: "lost" } as const;
  await apply({ ...dispute, paymentId, amount, currency });
  expect(await paymentsOf(workspaceId)).toMatchObject([{ credits_held: 60, credits_owed: 60 }]);
  await failAndRefund(jobId, NOW);
  expect(await balanceOf(workspaceId)).toBe(60);
  expect(await collectOwed(env.DB, NOW, 100)).toBeGreaterThan(0);
  expect(await balanceOf(workspaceId)).toBe(0);
  expect(await ledgerSumOf(paymentId)).toBe(0);
  expect(await paymentsOf(workspaceId)).toMatchObject([{ credits_held: 0, credits_owed: 0 }]);
  expect(await selectRow`SELECT suspended_at FROM workspaces WHERE workspace_id = ${workspaceId}`).toEqual({
    suspended_at: null,
  });
});

it("API §19.8 credits stay owed while the workspace gets no new ones", async () => {
  const { workspaceId } = await createWorkspace();
  const { paymentId } = await buy(workspaceId);
  await paidJobId(spend(workspaceId, 100, NOW));
  await apply({ kind: "refunded", paymentId, amountRefunded: 500, receiptUrl: null });
  await collectOwed(env.DB, NOW, 100);
  expect(await paymentsOf(workspaceId)).toMatchObject([{ credits_held: 100, credits_owed: 50 }]);
});

it("API §19.8 the sweep deletes old orders, whose repeated payment events are still accepted", async () => {
  const { workspaceId } = await createWorkspace();
  const paid = await buy(workspaceId);
  const renewed = await placeOrder(workspaceId, { kind: "plan", credits: 0 });
  await execute`INSERT INTO payments (payment_id, workspace_id, kind, offer_id, currency, amount, credits, paid_at, created_at)
    VALUES (${`in_${newId()}`}, ${workspaceId}, 'plan', 'studio', 'eur', 1, 0, 1, 1)`;
  await deleteOldOrders.run(env.DB, { createdBeforeMs: NOW + 1, limit: 10_000 });
  expect(await selectRows`SELECT order_id FROM billing_orders WHERE workspace_id = ${workspaceId}`).toEqual([
    { order_id: renewed.orderId },
  ]);
  expect(await apply(paid, NOW_SECONDS + 60)).toBe("applied");
  expect(await balanceOf(workspaceId)).toBe(100);
});

it("API §19.8 the sweep deletes old events without effect, and keeps those of payments", async () => {
  const { workspaceId } = await createWorkspace();
  const { paymentId } = await buy(workspaceId);
  const unknown = `pi_${newId()}`;
  await apply({ kind: "refunded", paymentId: unknown, amountRefunded: 5, receiptUrl: null });
  await deleteOldEvents.run(env.DB, { receivedBeforeMs: NOW + DAY_MS, limit: 10_000 });
  expect(await selectRows`SELECT 1 FROM billing_events WHERE object_id = ${unknown}`).toEqual([]);
  expect(await selectRows`SELECT outcome FROM billing_events WHERE object_id = ${paymentId}`).toEqual([
    { outcome: "applied" },
  ]);
});

it("API §19.8 the sweep keeps a paid invoice that waits for another plan's end, however old", async () => {
  const eventId = `evt_${newId()}`;
  const facts = JSON.stringify({ kind: "invoice-paid" });
  await execute`INSERT INTO billing_events (event_id, type, object_id, facts, outcome, occurred_at, received_at)
    VALUES (${eventId}, 'invoice.paid', 'sub_waiting', ${facts}, 'waiting', 1, ${NOW})`;
  await deleteOldEvents.run(env.DB, { receivedBeforeMs: NOW + DAY_MS, limit: 10_000 });
  expect(await selectRows`SELECT outcome FROM billing_events WHERE event_id = ${eventId}`).toHaveLength(1);
});
