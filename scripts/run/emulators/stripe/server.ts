import { serve } from "../../receivers/serve.ts";
import { htmlPage } from "../html-page.ts";
import { StripeBook } from "./book.ts";
import { completeSession, openSession } from "./checkout.ts";
import type { StripeEvent, StripeObject } from "./objects.ts";
import { checkoutPage, invoicePage, portalPage, receiptPage } from "./pages.ts";
import { takePayment } from "./payments.ts";
import { setCancelAtPeriodEnd } from "./plans.ts";
import { declined, type Form, idempotentAnswers, missing, page, readMap, refusal } from "./protocol.ts";

export interface LocalStripe {
  readonly book: StripeBook;
  readonly stop: () => Promise<void>;
}

interface Call {
  readonly id: string;
  readonly url: URL;
  readonly form: Form;
}

type Route = (call: Call) => Response;

const redirect = (location: string): Response =>
  new Response(null, { status: 303, headers: { Location: location } });

const found = (what: string, id: string, object: StripeObject | null): Response =>
  object === null ? missing(what, id) : Response.json(object);

/** The matching route and the id in the path; null if no route matches. `:id` matches one segment. */
function findRoute(routes: Readonly<Record<string, Route>>, method: string, pathname: string) {
  const segments = pathname.split("/");
  for (const [pattern, route] of Object.entries(routes)) {
    const [ownMethod, ownPath = ""] = pattern.split(" ");
    const own = ownPath.split("/");
    const matches = own.every((part, index) => part === ":id" || part === segments[index]);
    if (ownMethod === method && own.length === segments.length && matches) {
      return { route, id: segments[own.indexOf(":id")] ?? "" };
    }
  }
  return null;
}

/**
 * Local Stripe: the part of its API that the service calls, and its pages. `statePath` is the file that stores its
 * state between runs.
 */
export async function startStripe(
  statePath: string | null,
  onEvent: (event: StripeEvent) => void,
): Promise<LocalStripe> {
  const server = await serve((request) => handle(request));
  const book = new StripeBook(server.origin, statePath, onEvent);
  /** Checkout requests of open sessions, by session id. */
  const open = new Map<string, Form>();
  const idempotent = idempotentAnswers();

  const planOf = (customer: string) =>
    book.all("subscription").find((plan) => plan.customer === customer && plan.status !== "canceled") ?? null;

  function createSession({ form }: Call): Response {
    const session = openSession(book, form);
    if (session === null) return missing("price", form.get("line_items[0][price]") ?? "");
    open.set(session.id, form);
    return Response.json(session);
  }

  function showCheckout({ id }: Call): Response {
    const [session, form] = [book.get("checkout.session", id), open.get(id)];
    if (session === null || form === undefined) return htmlPage("Not found", "", 404);
    return checkoutPage(session, form.get("cancel_url") ?? book.origin);
  }

  function completeCheckout({ id }: Call): Response {
    const [session, form] = [book.get("checkout.session", id), open.get(id)];
    if (session === null || form === undefined) return htmlPage("Not found", "", 404);
    // A repeated submission does not pay again.
    if (session.status === "open") completeSession(book, session, form);
    return redirect(form.get("success_url") ?? book.origin);
  }

  function createPayment({ form }: Call): Response {
    const [customer, card] = [form.get("customer") ?? "", form.get("payment_method") ?? ""];
    if (book.get("payment_method", card)?.customer !== customer) return missing("PaymentMethod", card);
    const terms = {
      amount: Number(form.get("amount")),
      currency: form.get("currency") ?? "",
      customer,
      metadata: readMap(form, "metadata"),
      paymentMethod: card,
    };
    const intent = takePayment(book, terms, book.takeDecline());
    return intent.status === "succeeded" ? Response.json(intent) : declined(intent);
  }

  const turnPlan =
    (isCanceled: boolean): Route =>
    ({ id }) => {
      const session = book.require("billing_portal.session", id);
      const plan = planOf(session.customer);
      if (plan !== null) setCancelAtPeriodEnd(book, plan, isCanceled);
      return redirect(session.url);
    };

  /** The API that the service calls. objects.ts links to its documentation. */
  const api: Readonly<Record<string, Route>> = {
    "POST /v1/customers": ({ form }) =>
      Response.json(
        book.put({
          ...book.base("customer"),
          email: form.get("email") ?? null,
          name: form.get("name") ?? null,
          metadata: readMap(form, "metadata"),
        }),
      ),
    "GET /v1/customers/:id": ({ id }) => found("customer", id, book.get("customer", id)),
    "POST /v1/checkout/sessions": createSession,
    "GET /v1/checkout/sessions/:id": ({ id }) =>
      found("checkout.session", id, book.get("checkout.session", id)),
    "POST /v1/checkout/sessions/:id/expire": ({ id }) =>
      Response.json(book.put({ ...book.require("checkout.session", id), status: "expired", url: null })),
    "POST /v1/payment_intents": createPayment,
    "GET /v1/payment_methods": ({ url }) => {
      const customer = url.searchParams.get("customer");
      return page(
        url,
        book.all("payment_method").filter((method) => method.customer === customer),
      );
    },
    "GET /v1/charges": ({ url }) => page(url, book.all("charge")),
    "GET /v1/events": ({ url }) => {
      const types = [...url.searchParams]
        .filter(([name]) => name.startsWith("types["))
        .map(([, type]) => type);
      return page(
        url,
        book.events().filter(({ type }) => types.length === 0 || types.includes(type)),
      );
    },
    "POST /v1/billing_portal/sessions": ({ form }) => {
      const customer = book.get("customer", form.get("customer"));
      if (customer === null) return missing("customer", form.get("customer") ?? "");
      const base = book.base("billing_portal.session");
      const session = {
        ...base,
        customer: customer.id,
        return_url: form.get("return_url") ?? book.origin,
        url: `${book.origin}/portal/${base.id}`,
      };
      return Response.json(book.put(session));
    },
  };

  const pages: Readonly<Record<string, Route>> = {
    "GET /checkout/:id": showCheckout,
    "POST /checkout/:id/complete": completeCheckout,
    "GET /receipts/:id": ({ id }) => receiptPage(book.require("charge", id)),
    "GET /invoices/:id": ({ id }) => invoicePage(book.require("invoice", id)),
    "GET /portal/:id": ({ id }) => {
      const session = book.require("billing_portal.session", id);
      return portalPage(book, session, planOf(session.customer));
    },
    "POST /portal/:id/cancel": turnPlan(true),
    "POST /portal/:id/resume": turnPlan(false),
  };

  async function handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const text = request.method === "GET" ? "" : await request.text();
    const isPage = !url.pathname.startsWith("/v1/");
    const match = findRoute(isPage ? pages : api, request.method, url.pathname);
    if (isPage && match === null) return htmlPage("Not found", "", 404);
    if (match === null) return refusal(404, `Unrecognized request URL (${request.method}: ${url.pathname}).`);
    const respond = async () => match.route({ id: match.id, url, form: new Map(new URLSearchParams(text)) });
    if (isPage) return respond();
    if (!/^(Bearer|Basic) ./.test(request.headers.get("Authorization") ?? "")) {
      return refusal(401, "You did not provide an API key.");
    }
    const key = request.method === "POST" ? request.headers.get("Idempotency-Key") : null;
    return key === null ? respond() : idempotent(key, `${url.pathname} ${text}`, respond);
  }

  return { book, stop: () => server.close() };
}
