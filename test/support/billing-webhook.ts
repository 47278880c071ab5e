import { newId } from "#platform/ids.ts";
import { placeOrder } from "./billing.ts";
import type { Answer, Settings } from "./workspace.ts";
import { call, createWorkspace } from "./workspace.ts";

/** Events as Stripe signs and sends them. */

const WEBHOOK_SECRET = "whsec_integration-tests-0123456789";

export const OFFERS = [
  {
    offerId: "starter",
    kind: "credits",
    priceId: "price_starter",
    currency: "eur",
    amount: 1_000,
    credits: 100,
  },
  { offerId: "studio", kind: "plan", priceId: "price_studio", currency: "eur", amount: 1_900, quota: 300 },
] as const;

/** Settings of an origin with sales enabled. */
export const BILLING: Settings = {
  STRIPE_SECRET_KEY: "sk_test_integration",
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  BILLING_OFFERS: JSON.stringify(OFFERS),
};

/** `Stripe-Signature` of a body (docs.stripe.com/webhooks/signature). */
async function signedHeader(body: string, atSeconds: number, secret = WEBHOOK_SECRET): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(`${atSeconds}.${body}`));
  const hex = [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `t=${atSeconds},v1=${hex}`;
}

/** Sends an event to the webhook, signed now. */
export async function sendEvent(event: object): Promise<Answer> {
  const body = JSON.stringify(event);
  return call("POST", "/api/billing/events", {
    settings: BILLING,
    headers: {
      "Stripe-Signature": await signedHeader(body, Math.floor(Date.now() / 1_000)),
      "Content-Type": "application/json; charset=utf-8",
    },
    body: new TextEncoder().encode(body),
  });
}

/** An order, and the event of its payment. */
export async function paidSession() {
  const { workspaceId } = await createWorkspace();
  const order = await placeOrder(workspaceId);
  const paymentId = `pi_${newId()}`;
  const metadata = { orderId: order.orderId, workspaceId, offerId: order.offerId, kind: order.kind };
  const event = {
    id: `evt_${newId()}`,
    object: "event",
    api_version: "2026-10-28.endive",
    created: Math.floor(Date.now() / 1_000),
    type: "checkout.session.completed",
    livemode: false,
    data: {
      object: {
        id: `cs_${newId()}`,
        object: "checkout.session",
        mode: "payment",
        payment_status: "paid",
        payment_intent: paymentId,
        amount_total: order.amount,
        currency: order.currency,
        customer_details: { email: "ada@packs.example" },
        metadata,
      },
    },
  };
  return { workspaceId, order, paymentId, metadata, event };
}
