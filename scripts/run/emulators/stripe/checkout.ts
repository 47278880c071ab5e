import { PRICE_LIST } from "../price-list.ts";
import type { StripeBook } from "./book.ts";
import { type Form, readMap } from "./form.ts";
import type { CheckoutSession, Metadata } from "./objects.ts";
import { keepCard, takePayment } from "./payments.ts";
import { startPlan } from "./plans.ts";

/** Checkout sessions: `emulate` has their state and page, this what it leaves out of them. */

/** The parts of a session's request that are needed once it is paid. */
export interface SessionTerms {
  readonly price: { readonly id: string; readonly amount: number; readonly currency: string };
  readonly paymentMetadata: Metadata;
  readonly planMetadata: Metadata;
  readonly isCardKept: boolean;
}

/** Null where the price is not on the list. */
export function readTerms(form: Form): SessionTerms | null {
  const priceId = form.get("line_items[0][price]");
  const offer = PRICE_LIST.map((listed) => listed.offer).find((listed) => listed.priceId === priceId);
  if (offer === undefined) return null;
  return {
    price: { id: offer.priceId, amount: offer.amount, currency: offer.currency },
    paymentMetadata: readMap(form, "payment_intent_data[metadata]"),
    planMetadata: readMap(form, "subscription_data[metadata]"),
    isCardKept: form.get("payment_intent_data[setup_future_usage]") === "off_session",
  };
}

/** The whole session, from its request and the id and address that `emulate` gave it. */
export const recordSession = (
  book: StripeBook,
  form: Form,
  { price }: SessionTerms,
  given: { readonly id: string; readonly url: string },
): CheckoutSession =>
  book.put({
    ...book.base("checkout.session"),
    ...given,
    amount_total: price.amount,
    currency: price.currency,
    customer: form.get("customer") ?? "",
    metadata: readMap(form, "metadata"),
    mode: form.get("mode") === "subscription" ? "subscription" : "payment",
    payment_intent: null,
    payment_status: "unpaid",
    status: "open",
  });

/** What a paid session brings about: a plan or a payment, and the event of the completed session. */
export function completeSession(
  book: StripeBook,
  session: CheckoutSession,
  terms: SessionTerms,
  origin: string,
): void {
  const { customer } = session;
  const paid: CheckoutSession = { ...session, payment_status: "paid", status: "complete", url: null };
  if (session.mode === "subscription") {
    startPlan(book, { customer, metadata: terms.planMetadata, price: terms.price }, origin);
    book.emit("checkout.session.completed", book.put(paid));
    return;
  }
  const payment = {
    amount: session.amount_total,
    currency: session.currency,
    customer,
    metadata: terms.paymentMetadata,
    paymentMethod: terms.isCardKept ? keepCard(book, customer) : null,
    receiptEmail: book.get("customer", customer)?.email ?? null,
  };
  const intent = takePayment(book, payment, false, origin);
  book.emit("checkout.session.completed", book.put({ ...paid, payment_intent: intent.id }));
}
