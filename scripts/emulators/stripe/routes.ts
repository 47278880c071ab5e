import { answer, declined, missing, page, refusal } from "./answers.ts";
import type { StripeBook } from "./book.ts";
import { type Form, readList, readMap, readWhole } from "./form.ts";
import { confirmPayment, createPaymentIntent, type Decline, refundPayment } from "./payments.ts";
import { endPlan, setCancelAtPeriodEnd } from "./plans.ts";
import type { ObjectName, StripeObject } from "./schemas.ts";

/** What the emulator lacks of Stripe's interface. Each route cites nothing of its own: schemas.ts has the addresses. */

export interface Call {
  readonly book: StripeBook;
  readonly url: URL;
  readonly form: Form;
  /** Of this server: where receipts and the portal are. */
  readonly origin: string;
  /** The decline that was asked for the next payment, once. */
  readonly takeDecline: () => Decline | null;
}

type Route = (call: Call, id: string) => Response;

const paths = ({ url, form }: Call): string[] => [
  ...readList(url.searchParams, "expand"),
  ...[...form].filter(([name]) => name.startsWith("expand[")).map(([, value]) => value),
];

const read =
  (name: ObjectName, what: string): Route =>
  (call, id) => {
    const found = call.book.get(name, id);
    return found === null ? missing(what, id) : answer(call.book, found, paths(call));
  };

/** A list, narrowed by those of its parameters that are members of the objects. */
const list =
  (name: ObjectName): Route =>
  ({ book, url }) => {
    const wanted = [...url.searchParams].filter(([key]) =>
      ["customer", "payment_intent", "charge", "subscription", "status", "invoice", "active"].includes(key),
    );
    const members = (object: StripeObject) => new Map<string, unknown>(Object.entries(object));
    const matches = (object: StripeObject) =>
      wanted.every(([key, value]) => value === "all" || String(members(object).get(key)) === value);
    return page(book, url, book.all(name).filter(matches));
  };

function createPayment(call: Call): Response {
  const { book, form, origin } = call;
  const amount = readWhole(form, "amount");
  const currency = form.get("currency");
  const customer = form.get("customer") ?? null;
  const paymentMethod = form.get("payment_method") ?? null;
  if (amount === null || currency === undefined) return refusal(400, "Missing required param: amount.");
  if (customer !== null && book.get("customer", customer) === null) return missing("customer", customer);
  if (paymentMethod !== null) {
    const method = book.get("payment_method", paymentMethod);
    if (method === null || method.customer !== customer) return missing("PaymentMethod", paymentMethod);
  }
  const created = createPaymentIntent(book, {
    amount,
    currency,
    customer,
    description: form.get("description") ?? null,
    metadata: readMap(form, "metadata"),
    paymentMethod,
    receiptEmail: form.get("receipt_email") ?? null,
  });
  if (form.get("confirm") !== "true") return answer(book, created, paths(call));
  if (paymentMethod === null) {
    return refusal(400, "A payment method is missing.", "payment_intent_unexpected_state");
  }
  const intent = confirmPayment(book, created, call.takeDecline(), origin);
  return intent.status === "succeeded" ? answer(book, intent, paths(call)) : declined(intent);
}

function createRefund(call: Call): Response {
  const { book, form } = call;
  const charge = book.get("charge", form.get("charge"));
  const intent = book.get("payment_intent", form.get("payment_intent") ?? charge?.payment_intent);
  if (intent === null) return missing("payment_intent", form.get("payment_intent") ?? "");
  const refund = refundPayment(book, intent.id, readWhole(form, "amount"), form.get("reason") ?? null);
  if (refund === null) {
    return refusal(400, "The payment has less left than that.", "charge_already_refunded");
  }
  return answer(book, refund, paths(call));
}

function createPortalSession(call: Call): Response {
  const { book, form, origin } = call;
  const customer = book.get("customer", form.get("customer"));
  if (customer === null) return missing("customer", form.get("customer") ?? "");
  const base = book.base("billing_portal.session");
  const session = book.put({
    ...base,
    customer: customer.id,
    return_url: form.get("return_url") ?? null,
    url: `${origin}/portal/${base.id}`,
  });
  return answer(book, session, paths(call));
}

const changeSubscription: Route = (call, id) => {
  const { book, form } = call;
  const subscription = book.get("subscription", id);
  if (subscription === null) return missing("subscription", id);
  const wanted = form.get("cancel_at_period_end");
  const changed = wanted === undefined ? subscription : setCancelAtPeriodEnd(book, id, wanted === "true");
  return answer(book, changed, paths(call));
};

const endSubscription: Route = (call, id) =>
  call.book.get("subscription", id) === null
    ? missing("subscription", id)
    : answer(call.book, endPlan(call.book, id), paths(call));

const listEvents: Route = ({ book, url }) => {
  const types = readList(url.searchParams, "types");
  const type = url.searchParams.get("type");
  const wanted = type === null ? types : [...types, type];
  return page(
    book,
    url,
    book.events().filter((event) => wanted.length === 0 || wanted.includes(event.type)),
  );
};

const readEvent: Route = ({ book }, id) => {
  const event = book.events().find((each) => each.id === id);
  return event === undefined ? missing("event", id) : Response.json(event);
};

const listInvoicePayments: Route = ({ book, url }) => {
  const intent = url.searchParams.get("payment[payment_intent]");
  const invoice = url.searchParams.get("invoice");
  const matching = book
    .all("invoice_payment")
    .filter(
      (each) =>
        (intent === null || each.payment.payment_intent === intent) &&
        (invoice === null || each.invoice === invoice),
    );
  return page(book, url, matching);
};

const listCustomerMethods: Route = ({ book, url }, id) =>
  page(
    book,
    url,
    book.all("payment_method").filter(({ customer }) => customer === id),
  );

/** By method and path; `:id` is one segment. */
const ROUTES: Readonly<Record<string, Route>> = {
  "POST /v1/payment_intents": createPayment,
  "GET /v1/payment_intents": list("payment_intent"),
  "GET /v1/payment_intents/:id": read("payment_intent", "payment_intent"),
  "GET /v1/charges": list("charge"),
  "GET /v1/charges/:id": read("charge", "charge"),
  "POST /v1/refunds": createRefund,
  "GET /v1/refunds": list("refund"),
  "GET /v1/refunds/:id": read("refund", "refund"),
  "GET /v1/disputes": list("dispute"),
  "GET /v1/disputes/:id": read("dispute", "dispute"),
  "GET /v1/payment_methods": list("payment_method"),
  "GET /v1/payment_methods/:id": read("payment_method", "PaymentMethod"),
  "GET /v1/customers/:id/payment_methods": listCustomerMethods,
  "GET /v1/checkout/sessions": list("checkout.session"),
  "GET /v1/checkout/sessions/:id": read("checkout.session", "checkout.session"),
  "GET /v1/subscriptions": list("subscription"),
  "GET /v1/subscriptions/:id": read("subscription", "subscription"),
  "POST /v1/subscriptions/:id": changeSubscription,
  "DELETE /v1/subscriptions/:id": endSubscription,
  "GET /v1/invoices": list("invoice"),
  "GET /v1/invoices/:id": read("invoice", "invoice"),
  "GET /v1/invoice_payments": listInvoicePayments,
  "GET /v1/invoice_payments/:id": read("invoice_payment", "invoice_payment"),
  "POST /v1/billing_portal/sessions": createPortalSession,
  "GET /v1/events": listEvents,
  "GET /v1/events/:id": readEvent,
};

/** The route of a request and the id in its path, or null where the emulator itself answers. */
export function routeOf(method: string, pathname: string): { route: Route; id: string } | null {
  const segments = pathname.split("/");
  for (const [pattern, route] of Object.entries(ROUTES)) {
    const [ownMethod, ownPath = ""] = pattern.split(" ");
    const own = ownPath.split("/");
    if (ownMethod !== method || own.length !== segments.length) continue;
    if (!own.every((part, index) => part === ":id" || part === segments[index])) continue;
    return { route, id: segments[own.indexOf(":id")] ?? "" };
  }
  return null;
}
