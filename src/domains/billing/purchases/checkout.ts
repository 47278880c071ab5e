import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { IdempotencyClaim } from "#domains/idempotency/claim.ts";
import { rememberStatements } from "#domains/idempotency/store.ts";
import { isReplaceable } from "#domains/ledger/plan.ts";
import { activeSubscription } from "#domains/ledger/plan-store.ts";
import type { BillingService } from "#platform/bindings/capabilities.ts";
import type { Offer } from "#platform/bindings/offers.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { latest } from "#platform/db/reader.ts";
import { log } from "#platform/log/log.ts";
import { pick } from "#platform/pick-members.ts";
import {
  hasOpenDispute,
  insertOrderWithinLimit,
  type Order,
  orderById,
  sessionByOrder,
  setOrderSession,
} from "../payments/payment-store.ts";
import { ensureCustomer } from "../stripe/customer-and-saved-card.ts";
import { askStripe, openStripe, type StripeLibrary } from "../stripe/stripe-library.ts";

/** A purchase on the provider's page, before payment. */
export interface Purchase {
  readonly workspaceId: string;
  readonly offerId: string;
  /** The buyer's address. */
  readonly email: string;
  /** Our pages to which the provider's page returns. Their query parameters are never trusted. */
  readonly returnUrls: { readonly bought: string; readonly left: string };
}

export interface Checkout {
  readonly url: string;
}

/** The offer with an id. 422 OFFER_UNKNOWN. */
export function findOffer({ offers }: BillingService, offerId: string): Outcome<Offer> {
  const offer = offers.find((one) => one.offerId === offerId);
  return offer === undefined ? refuse("OFFER_UNKNOWN", `There is no offer \`${offerId}\`.`) : accept(offer);
}

/** 409 PAYMENT_DISPUTED while a payment of the workspace is disputed, otherwise null. */
export async function findDisputeRefusal(db: D1Database, workspaceId: string): Promise<Refusal | null> {
  const found = await hasOpenDispute.first(latest(db), { workspaceId });
  return found === null ? null : refuse("PAYMENT_DISPUTED", "A payment of the workspace is disputed.");
}

/** 409 PLAN_ACTIVE while the workspace has a subscription, bought or granted, otherwise null. */
async function findPlanRefusal(db: D1Database, workspaceId: string, nowMs: number): Promise<Refusal | null> {
  const plan = await activeSubscription.first(latest(db), { workspaceId });
  if (plan === null) return null;
  const { endedAt, paysUntil } = plan;
  // A bought plan ends when it is no longer paid; a granted one when the operator ends it.
  if (paysUntil !== null && isReplaceable({ endedAt, paysUntil }, nowMs)) return null;
  return refuse("PLAN_ACTIVE", "The workspace has a plan.");
}

/** Metadata of the provider's objects, so that their events name the order. */
export const metadataOf = (order: Order) => pick(order, "workspaceId", "offerId", "kind", "orderId");

/** An order of an offer at its current price. */
export const newOrder = (orderId: string, workspaceId: string, kind: Order["kind"], offer: Offer): Order => ({
  orderId,
  workspaceId,
  kind,
  ...pick(offer, "offerId", "currency", "amount"),
  credits: offer.kind === "credits" ? offer.credits : 0,
  quota: offer.kind === "plan" ? offer.quota : null,
});

/** One order per Idempotency-Key: a repeated request continues the first one's order. */
async function orderIdOf({ workspaceId, idempotencyKey }: IdempotencyClaim): Promise<string> {
  const hash = await sha256Hex(`order\n${workspaceId}\n${idempotencyKey}`);
  return hash.slice(0, 32);
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const tooManyOrders = (nowMs: number): Refusal => ({
  ...refuse("RATE_LIMITED", `A workspace begins at most ${LIMITS.ordersPerDayMax} purchases a day.`, {
    limit: LIMITS.ordersPerDayMax,
  }),
  // The time at which an order is allowed again is not looked up. A request that comes too early is refused again.
  retryAfterSeconds: HOUR_MS / 1_000,
  fullWindow: { limit: LIMITS.ordersPerDayMax, resetsAtMs: nowMs + HOUR_MS },
});

async function placeOrder(db: D1Database, claim: IdempotencyClaim, offer: Offer): Promise<Outcome<Order>> {
  const orderId = await orderIdOf(claim);
  const wanted = newOrder(orderId, claim.workspaceId, offer.kind, offer);
  await insertOrderWithinLimit.run(db, {
    ...wanted,
    createdAt: claim.nowMs,
    sinceMs: claim.nowMs - DAY_MS,
    max: LIMITS.ordersPerDayMax,
  });
  const order = await orderById.first(latest(db), { orderId });
  if (order === null) return tooManyOrders(claim.nowMs);
  const isSame =
    order.offerId === wanted.offerId && order.amount === wanted.amount && order.currency === wanted.currency;
  return isSame
    ? accept(order)
    : refuse("IDEMPOTENCY_CONFLICT", "This Idempotency-Key was used for another offer.");
}

const createSession = (
  { client }: StripeLibrary,
  order: Order,
  customer: string,
  { priceId }: Offer,
  { returnUrls }: Purchase,
) => {
  const metadata = metadataOf(order);
  const shared = {
    customer,
    client_reference_id: order.workspaceId,
    line_items: [{ price: priceId, quantity: 1 }],
    metadata,
    success_url: returnUrls.bought,
    cancel_url: returnUrls.left,
  };
  const idempotencyKey = `checkout:${order.orderId}:${customer}`;
  return order.kind === "plan"
    ? client.checkout.sessions.create(
        { ...shared, mode: "subscription", subscription_data: { metadata } },
        { idempotencyKey },
      )
    : client.checkout.sessions.create(
        {
          ...shared,
          mode: "payment",
          // Saves the card for automatic purchases, which the owner may enable later.
          payment_intent_data: { metadata, setup_future_usage: "off_session" },
        },
        { idempotencyKey },
      );
};

/**
 * Starts a purchase: writes its order and creates the provider's payment page. Only the provider's events grant
 * anything. 422 OFFER_UNKNOWN, 409 PLAN_ACTIVE or PAYMENT_DISPUTED, 502 and 503 of `askStripe`.
 */
export async function createCheckout(
  db: D1Database,
  service: BillingService,
  claim: IdempotencyClaim,
  purchase: Purchase,
): Promise<Outcome<Checkout>> {
  const { workspaceId } = purchase;
  const offer = findOffer(service, purchase.offerId);
  if (!offer.ok) return offer;
  const refusal =
    (await findDisputeRefusal(db, workspaceId)) ??
    (offer.value.kind === "plan" ? await findPlanRefusal(db, workspaceId, claim.nowMs) : null);
  if (refusal !== null) return refusal;
  const order = await placeOrder(db, claim, offer.value);
  if (!order.ok) return order;
  const library = await openStripe(service);
  const customer = await ensureCustomer(db, library, { ...purchase, nowMs: claim.nowMs });
  if (!customer.ok) return customer;
  const session = await askStripe(library, () =>
    createSession(library, order.value, customer.value, offer.value, purchase),
  );
  if (!session.ok) return session;
  const { id: sessionId, url, amount_total: amount, currency } = session.value;
  if (url === null || amount !== order.value.amount || currency !== order.value.currency) {
    return priceDiffers(library, sessionId);
  }
  await db.batch([
    ...rememberStatements(db, claim, order.value.orderId, LIMITS.idempotencyRetentionMs),
    setOrderSession.bind(db, { orderId: order.value.orderId, sessionId }),
  ]);
  return accept({ url });
}

/** Expires a page whose amount differs from the order's, because its payment would be refused. */
async function priceDiffers(library: StripeLibrary, sessionId: string): Promise<Refusal> {
  log.failure({ event: "billing_price_differs" });
  const expired = await askStripe(library, () => library.client.checkout.sessions.expire(sessionId));
  return expired.ok
    ? refuse("PAYMENT_PROVIDER_FAILED", "The price at the payment provider is not that of the offer.")
    : expired;
}

/** The page of an earlier request with this Idempotency-Key; 409 IDEMPOTENCY_CONFLICT once it is paid or expired. */
export async function findCheckout(
  db: D1Database,
  service: BillingService,
  orderId: string,
): Promise<Outcome<Checkout>> {
  const sessionId = (await sessionByOrder.first(latest(db), { orderId }))?.sessionId ?? null;
  if (sessionId === null) throw new Error("a remembered purchase has no session");
  const library = await openStripe(service);
  const session = await askStripe(library, () => library.client.checkout.sessions.retrieve(sessionId));
  if (!session.ok) return session;
  const { url } = session.value;
  return url == null
    ? refuse("IDEMPOTENCY_CONFLICT", "The purchase of this Idempotency-Key is paid or has ended.")
    : accept({ url });
}
