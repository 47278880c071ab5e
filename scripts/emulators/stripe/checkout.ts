import type { StripeBook } from "./book.ts";
import { type Form, readMap } from "./form.ts";
import { confirmPayment, createPaymentIntent, createPaymentMethod } from "./payments.ts";
import { startPlan } from "./plans.ts";
import type { ObjectOf } from "./schemas.ts";

/** Checkout sessions: the emulator has their state and page, this what it leaves out of them. */

type Session = ObjectOf<"checkout.session">;
type Price = ObjectOf<"price">;

/** How long a session can be paid. https://docs.stripe.com/api/checkout/sessions/object#checkout_session_object-expires_at */
const OPEN_SECONDS = 86_400;

/** What of a session's request is needed once it is paid. */
export interface SessionTerms {
  readonly price: Price;
  readonly paymentMetadata: Record<string, string>;
  readonly subscriptionMetadata: Record<string, string>;
  readonly isCardKept: boolean;
}

export function readTerms(book: StripeBook, form: Form): SessionTerms | null {
  const price = book.get("price", form.get("line_items[0][price]"));
  if (price === null) return null;
  return {
    price,
    paymentMetadata: readMap(form, "payment_intent_data[metadata]"),
    subscriptionMetadata: readMap(form, "subscription_data[metadata]"),
    isCardKept: form.get("payment_intent_data[setup_future_usage]") === "off_session",
  };
}

/** The whole session, from what was asked for and the id and address that the emulator gave it. */
export function recordSession(
  book: StripeBook,
  form: Form,
  terms: SessionTerms,
  given: { readonly id: string; readonly url: string },
): Session {
  const created = book.now();
  const total = terms.price.unit_amount * Number(form.get("line_items[0][quantity]") ?? 1);
  const mode = form.get("mode") === "subscription" ? "subscription" : "payment";
  return book.put({
    id: given.id,
    object: "checkout.session",
    created,
    livemode: false,
    amount_subtotal: total,
    amount_total: total,
    cancel_url: form.get("cancel_url") ?? null,
    client_reference_id: form.get("client_reference_id") ?? null,
    currency: terms.price.currency,
    customer: form.get("customer") ?? null,
    customer_creation:
      mode === "subscription" ? null : form.get("customer_creation") === "always" ? "always" : "if_required",
    customer_details: null,
    customer_email: form.get("customer_email") ?? null,
    expires_at: Number(form.get("expires_at") ?? created + OPEN_SECONDS),
    invoice: null,
    metadata: readMap(form, "metadata"),
    mode,
    payment_intent: null,
    payment_method_types: ["card"],
    payment_status: "unpaid",
    status: "open",
    subscription: null,
    success_url: form.get("success_url") ?? null,
    url: given.url,
  });
}

/** What a paid session brings about. `customerId`: who pays; null where the session makes no customer. */
export function completeSession(
  book: StripeBook,
  sessionId: string,
  terms: SessionTerms,
  customerId: string | null,
  origin: string,
): void {
  const session = book.require("checkout.session", sessionId);
  const customer = book.get("customer", customerId);
  const email = customer?.email ?? session.customer_email;
  const paid = {
    ...session,
    customer: customerId,
    customer_details: { email, name: customer?.name ?? null },
    payment_status: "paid" as const,
    status: "complete" as const,
    url: null,
  };
  if (session.mode === "subscription" && customer !== null) {
    const method = createPaymentMethod(book, customer.id);
    const { subscription, invoice } = startPlan(
      book,
      {
        customer: customer.id,
        metadata: terms.subscriptionMetadata,
        paymentMethod: method.id,
        price: terms.price,
      },
      origin,
    );
    const done = book.put({ ...paid, subscription: subscription.id, invoice: invoice.id });
    book.emit("checkout.session.completed", done);
    return;
  }
  const method = createPaymentMethod(book, terms.isCardKept ? customerId : null);
  const created = createPaymentIntent(book, {
    amount: session.amount_total,
    currency: session.currency,
    customer: customerId,
    metadata: terms.paymentMetadata,
    paymentMethod: method.id,
    receiptEmail: email,
    setupFutureUsage: terms.isCardKept ? "off_session" : null,
  });
  const intent = confirmPayment(book, created, null, origin);
  book.emit("checkout.session.completed", book.put({ ...paid, payment_intent: intent.id }));
}
