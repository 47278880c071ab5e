import { env } from "cloudflare:workers";
import { applyEvent } from "#domains/billing/apply-event.ts";
import type { BillingEvent, BillingFact, FactOf } from "#domains/billing/events/billing-event.ts";
import { insertOrder, type Order } from "#domains/billing/payments/payment-store.ts";
import { newId } from "#platform/ids.ts";
import { selectRow, selectRows } from "./database.ts";
import { anyDatabase } from "./homes.ts";

/** Orders and provider events, without signatures. */

/** The start of the run in whole seconds, like the provider's times. */
export const NOW = Math.floor(Date.now() / 1_000) * 1_000;
export const NOW_SECONDS = NOW / 1_000;

/** An order of 100 credits for 1,000 cents, as the checkout writes it. */
export async function placeOrder(
  workspaceId: string,
  {
    kind = "credits",
    credits = 100,
    amount = 1_000,
    quota = null,
  }: { kind?: Order["kind"]; credits?: number; amount?: number; quota?: number | null } = {},
  db: D1Database = anyDatabase(),
) {
  const order = {
    orderId: newId(),
    workspaceId,
    kind,
    offerId: "starter",
    currency: "eur",
    amount,
    credits,
    quota,
    createdAt: NOW,
  };
  await insertOrder.run(db, order);
  return order;
}

/** The provider's fact that an order was paid. */
export const paidFactOf = ({
  orderId,
  amount,
  currency,
}: Pick<Order, "orderId" | "amount" | "currency">): FactOf<"payment-succeeded"> => ({
  kind: "payment-succeeded",
  paymentId: `pi_${newId()}`,
  orderId,
  amount,
  currency,
});

let events = 0;

export function billingEvent(fact: BillingFact, occurredAt = NOW_SECONDS): BillingEvent {
  events += 1;
  return { eventId: `evt_${newId()}_${events}`, type: "test", occurredAt, fact };
}

export const apply = (fact: BillingFact, occurredAt?: number) =>
  applyEvent(env.DB, billingEvent(fact, occurredAt), NOW);

export const balanceOf = async (workspaceId: string): Promise<number> =>
  (await selectRow<{ credits: number }>`SELECT credits FROM workspaces WHERE workspace_id = ${workspaceId}`)
    ?.credits ?? Number.NaN;

export interface PaymentRow {
  readonly payment_id: string;
  readonly amount: number;
  readonly credits: number;
  readonly amount_refunded: number;
  readonly amount_disputed: number;
  readonly credits_held: number;
  readonly credits_owed: number;
  readonly dispute: string | null;
}

export const paymentsOf = (workspaceId: string): Promise<PaymentRow[]> =>
  selectRows<PaymentRow>`SELECT * FROM payments WHERE workspace_id = ${workspaceId} ORDER BY paid_at, payment_id`;

/** Sum of a payment's ledger events, in credits. */
export const ledgerSumOf = async (paymentId: string): Promise<number> =>
  (
    await selectRow<{ held: number }>`SELECT coalesce(sum(amount), 0) AS held FROM ledger_events
      WHERE reference LIKE ${`stripe:${paymentId}:%`}`
  )?.held ?? Number.NaN;
