/** Checkout sessions: creation and effects of payment. */
import { PRICE_LIST } from "../price-list.ts";
import type { StripeBook } from "./book.ts";
import type { CheckoutSession } from "./objects.ts";
import { keepCard, takePayment } from "./payments.ts";
import { startPlan } from "./plans.ts";
import { type Form, readMap } from "./protocol.ts";

const priceOf = (form: Form) =>
  PRICE_LIST.find(({ priceId }) => priceId === form.get("line_items[0][price]"));

/** Creates a session from a request; null if the price is unknown. */
export function openSession(book: StripeBook, form: Form): CheckoutSession | null {
  const price = priceOf(form);
  if (price === undefined) return null;
  const base = book.base("checkout.session");
  return book.put({
    ...base,
    url: `${book.origin}/checkout/${base.id}`,
    amount_total: price.amount,
    currency: price.currency,
    customer: form.get("customer") ?? "",
    metadata: readMap(form, "metadata"),
    mode: form.get("mode") === "subscription" ? "subscription" : "payment",
    payment_intent: null,
    payment_status: "unpaid",
    status: "open",
  });
}

/** Effects of a paid session: a plan or a payment, and the event of the completed session. */
export function completeSession(book: StripeBook, session: CheckoutSession, form: Form): void {
  const { customer, amount_total: amount, currency } = session;
  const paid: CheckoutSession = { ...session, payment_status: "paid", status: "complete", url: null };
  if (session.mode === "subscription") {
    const price = { id: priceOf(form)?.priceId ?? "", amount, currency };
    startPlan(book, { customer, metadata: readMap(form, "subscription_data[metadata]"), price });
    book.emit("checkout.session.completed", book.put(paid));
    return;
  }
  const isCardKept = form.get("payment_intent_data[setup_future_usage]") === "off_session";
  const payment = {
    amount,
    currency,
    customer,
    metadata: readMap(form, "payment_intent_data[metadata]"),
    paymentMethod: isCardKept ? keepCard(book, customer) : null,
    receiptEmail: book.get("customer", customer)?.email ?? null,
  };
  const intent = takePayment(book, payment, false);
  book.emit("checkout.session.completed", book.put({ ...paid, payment_intent: intent.id }));
}
