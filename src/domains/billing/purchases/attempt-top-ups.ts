import { mailStatement } from "#domains/mail/outbox.ts";
import type { BillingService } from "#platform/bindings/capabilities.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { latest } from "#platform/db/reader.ts";
import { log } from "#platform/log/log.ts";
import {
  billedWorkspace,
  insertOrder,
  type Order,
  orderById,
  receiptAddresses,
} from "../payments/payment-store.ts";
import { findCustomer, findSavedCard } from "../stripe/customer-and-saved-card.ts";
import { openStripe, type StripeLibrary } from "../stripe/stripe-library.ts";
import { findDisputeRefusal, metadataOf, newOrder } from "./checkout.ts";
import {
  claimAttempt,
  type DueTopUp,
  dueTopUps,
  failTopUpStatements,
  pauseRule,
  ruleByWorkspace,
  setPayment,
  setPaymentMethod,
} from "./top-up-store.ts";

/**
 * Makes automatic purchases according to workspaces' rules. The event of a successful payment grants the credits, as
 * for any payment.
 */

const MINUTE_MS = 60_000;
/**
 * Minimum pause between attempts. The previous attempt has ended by then: the library tries twice, for at most ten
 * seconds each.
 */
const PAUSE_MS_MIN = MINUTE_MS;
const PAUSE_MS_MAX = 60 * MINUTE_MS;
/**
 * Stripe deletes idempotency keys after a day (docs.stripe.com/api/idempotent_requests), so no request may be repeated
 * after that.
 */
const OPEN_MS_MAX = 23 * 60 * MINUTE_MS;
/** Lifetime of the mail about a failed purchase; it is useless later. */
const MAIL_LIFETIME_MS = 3 * 86_400_000;

/** Result of an attempt. `unknown`: money may have been taken, so the same request is repeated. */
type Attempt =
  | { readonly kind: "requested"; readonly paymentId: string }
  | { readonly kind: "unknown" }
  | { readonly kind: "failed"; readonly reason: string };

const failed = (reason: string): Attempt => ({ kind: "failed", reason });

/** Pause in milliseconds after a number of attempts; doubles with each attempt. */
const pauseAfter = (attempts: number): number =>
  Math.min(PAUSE_MS_MIN * 2 ** Math.min(attempts, 10), PAUSE_MS_MAX);

interface Purchasing {
  readonly db: D1Database;
  readonly service: BillingService;
  readonly nowMs: number;
}

/**
 * Attempts at most `limit` due purchases; returns how many. May run concurrently or be interrupted: one run claims an
 * attempt, and every attempt repeats the same request under the purchase's idempotency key. A failed purchase never
 * throws.
 */
export async function attemptTopUps(
  db: D1Database,
  service: BillingService,
  nowMs: number,
  limit: number,
): Promise<number> {
  const due = await dueTopUps.all(latest(db), { nowMs, limit });
  for (const topUp of due) {
    const { workspaceId } = topUp;
    try {
      await attemptOne({ db, service, nowMs }, topUp);
    } catch (thrown) {
      log.failure({ event: "top_up_attempt_failed", workspaceId }, thrown);
    }
  }
  return due.length;
}

async function attemptOne(purchasing: Purchasing, topUp: DueTopUp): Promise<void> {
  const { db, nowMs } = purchasing;
  const { topUpId, attempts } = topUp;
  if (nowMs - topUp.createdAt > OPEN_MS_MAX) {
    // With a payment id the money was taken and only its event is missing; reconcile reports it.
    return fail(purchasing, topUp, topUp.paymentId === null ? "no_answer" : "event_missing");
  }
  const nextAttemptAt = nowMs + pauseAfter(attempts);
  if ((await claimAttempt.run(db, { topUpId, attempts, nextAttemptAt })) === 0 || topUp.paymentId !== null)
    return;
  const attempt = await pay(purchasing, topUp);
  switch (attempt.kind) {
    case "requested":
      await setPayment.run(db, { topUpId, paymentId: attempt.paymentId });
      return;
    case "failed":
      return fail(purchasing, topUp, attempt.reason);
    case "unknown":
      return;
  }
}

async function pay(purchasing: Purchasing, topUp: DueTopUp): Promise<Attempt> {
  const { db, service } = purchasing;
  const ordered = await placeOrder(purchasing, topUp);
  if (typeof ordered === "string") return failed(ordered);
  const customer = await findCustomer(db, topUp.workspaceId);
  if (customer === null) return failed("payment_method_missing");
  const library = await openStripe(service);
  try {
    const card = topUp.paymentMethodId ?? (await keepCard(db, library, topUp, customer));
    if (card === null) return failed("payment_method_missing");
    // docs.stripe.com/payments/save-and-reuse: off_session means that no user is present to confirm.
    const { id: paymentId } = await library.client.paymentIntents.create(
      {
        amount: ordered.amount,
        currency: ordered.currency,
        customer,
        payment_method: card,
        automatic_payment_methods: { enabled: true, allow_redirects: "never" },
        off_session: true,
        confirm: true,
        metadata: metadataOf(ordered),
      },
      { idempotencyKey: `top-up:${topUp.topUpId}` },
    );
    return { kind: "requested", paymentId };
  } catch (thrown) {
    return attemptOf(library, thrown);
  }
}

/** docs.stripe.com/error-handling: a declined card and an invalid request are final. */
function attemptOf({ errors }: StripeLibrary, thrown: unknown): Attempt {
  if (thrown instanceof errors.StripeCardError) {
    // The library uses an empty string for a missing code.
    return failed(thrown.decline_code || thrown.code || "card_declined");
  }
  if (thrown instanceof errors.StripeInvalidRequestError) return failed(thrown.code || "request_refused");
  if (!(thrown instanceof errors.StripeError)) throw thrown;
  log.failure({ event: "payment_provider_failed" }, thrown);
  return { kind: "unknown" };
}

async function keepCard(db: D1Database, library: StripeLibrary, { topUpId }: DueTopUp, customer: string) {
  const paymentMethodId = await findSavedCard(library, customer);
  if (paymentMethodId !== null) await setPaymentMethod.run(db, { topUpId, paymentMethodId });
  return paymentMethodId;
}

/**
 * The purchase's order, on the terms that the owner accepted, or the reason why it cannot be ordered. Inserted once,
 * before any request to the provider.
 */
async function placeOrder({ db, service, nowMs }: Purchasing, topUp: DueTopUp): Promise<Order | string> {
  const { topUpId, workspaceId, offerId, credits } = topUp;
  const session = latest(db);
  const known = await orderById.first(session, { orderId: topUpId });
  if (known !== null) return known;
  const rule = await ruleByWorkspace.first(session, { workspaceId });
  if (rule?.status !== "active" || rule.offerId !== offerId || rule.credits !== credits) return "withdrawn";
  const offer = service.offers.find((one) => one.offerId === offerId);
  const isAgreed =
    offer?.kind === "credits" &&
    offer.credits === credits &&
    offer.amount === rule.amount &&
    offer.currency === rule.currency;
  if (!isAgreed) return "offer_changed";
  if ((await findDisputeRefusal(db, workspaceId)) !== null) return "payment_disputed";
  const workspace = await billedWorkspace.first(session, { workspaceId });
  if (workspace === null || workspace.suspendedAt !== null) return "workspace_suspended";
  const order = newOrder(topUpId, workspaceId, "top-up", offer);
  await insertOrder.run(db, { ...order, createdAt: nowMs });
  return order;
}

/** Reasons that are not payment failures, so no mail is sent. */
const SILENT = new Set(["withdrawn", "event_missing"]);

/**
 * Ends a purchase, pauses its rule unless it was withdrawn, and mails the owners unless the reason is silent. Does
 * nothing if the payment's event arrived meanwhile.
 */
async function fail({ db, nowMs }: Purchasing, topUp: DueTopUp, reason: string): Promise<void> {
  const { topUpId, workspaceId, offerId, credits } = topUp;
  log.failure({ event: "top_up_failed", workspaceId, code: reason });
  const addresses = SILENT.has(reason) ? [] : await receiptAddresses.all(latest(db), { workspaceId });
  const mails = addresses.map(({ accountId, email, language }) =>
    mailStatement(db, {
      reference: `top-up-failed:${topUpId}:${accountId}`,
      kind: "top-up-failed",
      address: email,
      language,
      facts: { workspaceId, offerId, credits, reason },
      sealed: null,
      nowMs,
      expiresAtMs: nowMs + MAIL_LIFETIME_MS,
    }),
  );
  const pause = reason === "withdrawn" ? [] : [pauseRule.bind(db, { workspaceId, nowMs })];
  try {
    await db.batch([...failTopUpStatements(db, { topUpId, failureCode: reason, nowMs }), ...pause, ...mails]);
  } catch (thrown) {
    if (!isGuardViolation(thrown, "payment_unchanged")) throw thrown;
  }
}
