import { createEmulator } from "emulate";
import { z } from "zod";
import { serve } from "../../receivers/serve.ts";
import { PRICE_LIST } from "../price-list.ts";
import { missing, refusal } from "./answers.ts";
import { StripeBook } from "./book.ts";
import { completeSession, readTerms, recordSession, type SessionTerms } from "./checkout.ts";
import { type Form, readForm } from "./form.ts";
import { IdempotentAnswers } from "./idempotency.ts";
import { htmlPage, invoicePage, portalPage, receiptPage } from "./pages.ts";
import type { Decline } from "./payments.ts";
import { setCancelAtPeriodEnd } from "./plans.ts";
import { routeOf } from "./routes.ts";
import type { ObjectOf } from "./schemas.ts";

export interface LocalStripe {
  /** As STRIPE_API_URL takes it. */
  readonly origin: string;
  readonly book: StripeBook;
  /** Lets the next payment without a page, or the next renewal, fail. */
  readonly failNextPayment: (decline: Decline) => void;
  readonly takeDecline: () => Decline | null;
  readonly stop: () => Promise<void>;
}

const createdSession = z.object({ id: z.string() });
const createdCustomer = z.object({
  id: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
});

/** Puts the price list in a book that lacks it. */
function seedPrices(book: StripeBook): void {
  for (const { name, offer } of PRICE_LIST) {
    const product = `prod_local_${offer.offerId}`;
    const common = { created: book.now(), livemode: false as const, active: true, metadata: {} };
    if (book.get("price", offer.priceId) !== null) continue;
    book.put({ ...common, id: product, object: "product", name });
    book.put({
      ...common,
      id: offer.priceId,
      object: "price",
      currency: offer.currency,
      product,
      recurring: offer.kind === "plan" ? { interval: "month", interval_count: 1 } : null,
      type: offer.kind === "plan" ? "recurring" : "one_time",
      unit_amount: offer.amount,
    });
  }
}

/** What the emulator begins with: the price list, and the customers of earlier runs. */
const emulatorSeed = (book: StripeBook) => ({
  stripe: {
    customers: book.all("customer").map(({ id, email, name }) => ({ id, email, name })),
    products: book.all("product").map(({ id, name }) => ({ id, name })),
    prices: book.all("price").map(({ id, currency, unit_amount, product }) => ({
      id,
      currency,
      unit_amount,
      product_name: book.require("product", product).name,
    })),
  },
});

/** The emulator writes every sum with a dollar sign. */
function inCurrency(html: string, currency: string): string {
  const parts = new Intl.NumberFormat("en", { style: "currency", currency }).formatToParts(0);
  return html.replaceAll("$", parts.find(({ type }) => type === "currency")?.value ?? currency);
}

/**
 * Stripe on this machine: `emulate` for customers and Checkout's state and page, and what it lacks around it, in one
 * address. `statePath` keeps it between runs.
 */
export async function startStripe(statePath: string | null): Promise<LocalStripe> {
  const book = new StripeBook(statePath);
  seedPrices(book);
  const terms = new Map<string, SessionTerms>();
  const idempotent = new IdempotentAnswers();
  let declineNext: Decline | null = null;
  const takeDecline = () => {
    const decline = declineNext;
    declineNext = null;
    return decline;
  };

  const server = await serve((request) => handle(request));
  const emulator = await createEmulator({ service: "stripe", port: 0, seed: emulatorSeed(book) });
  const emulatorOrigin = `http://127.0.0.1:${new URL(emulator.url).port}`;

  const forward = (method: string, url: URL, body: string): Promise<Response> =>
    fetch(`${emulatorOrigin}${url.pathname}${url.search}`, {
      method,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      redirect: "manual",
      ...(method === "GET" || method === "HEAD" ? {} : { body }),
    });

  function keepCustomer(text: string, change: Form): ObjectOf<"customer"> {
    const given = createdCustomer.parse(JSON.parse(text));
    const known = book.get("customer", given.id);
    const method = change.get("invoice_settings[default_payment_method]");
    const customer = book.put({
      ...given,
      object: "customer",
      created: known?.created ?? book.now(),
      livemode: false,
      invoice_settings: {
        default_payment_method: method ?? known?.invoice_settings.default_payment_method ?? null,
      },
    });
    book.emit(known === null ? "customer.created" : "customer.updated", customer);
    return customer;
  }

  async function createCustomer(url: URL, text: string): Promise<Response> {
    const response = await forward("POST", url, text);
    if (!response.ok) return response;
    return Response.json(keepCustomer(await response.text(), readForm(text)));
  }

  async function createSession(url: URL, text: string): Promise<Response> {
    const form = readForm(text);
    const wanted = readTerms(book, form);
    if (wanted === null) return missing("price", form.get("line_items[0][price]") ?? "");
    const response = await forward("POST", url, text);
    if (!response.ok) return response;
    const { id } = createdSession.parse(await response.json());
    const session = recordSession(book, form, wanted, { id, url: `${server.origin}/checkout/${id}` });
    terms.set(session.id, wanted);
    return Response.json(session);
  }

  async function expireSession(url: URL, id: string): Promise<Response> {
    const response = await forward("POST", url, "");
    if (!response.ok) return response;
    const session = book.put({ ...book.require("checkout.session", id), status: "expired", url: null });
    book.emit("checkout.session.expired", session);
    return Response.json(session);
  }

  /** Who pays a session: its customer, a new one where it makes one, or nobody. */
  async function payerOf(session: ObjectOf<"checkout.session">): Promise<string | null> {
    const makesOne = session.mode === "subscription" || session.customer_creation === "always";
    if (session.customer !== null || !makesOne) return session.customer;
    const form = new URLSearchParams(
      session.customer_email === null ? {} : { email: session.customer_email },
    );
    const response = await forward("POST", new URL("/v1/customers", server.origin), form.toString());
    return keepCustomer(await response.text(), new Map()).id;
  }

  async function completeCheckout(url: URL, text: string, id: string): Promise<Response> {
    const session = book.get("checkout.session", id);
    const wanted = terms.get(id);
    // Taken at once, so that a second press of the button pays nothing.
    terms.delete(id);
    const response = await forward("POST", url, text);
    if (session?.status === "open" && wanted !== undefined) {
      completeSession(book, id, wanted, await payerOf(session), server.origin);
    }
    return response;
  }

  async function showCheckout(url: URL, id: string): Promise<Response> {
    const session = book.get("checkout.session", id);
    const response = await forward("GET", url, "");
    const html = inCurrency(await response.text(), session?.currency ?? "usd");
    return new Response(html, {
      status: response.status,
      headers: { "Content-Type": "text/html; charset=utf-8" },
    });
  }

  async function answerInterface(request: Request, url: URL, text: string): Promise<Response> {
    const [, , collection, id = "", action] = url.pathname.split("/");
    const isPost = request.method === "POST";
    if (isPost && collection === "customers" && action === undefined) return createCustomer(url, text);
    if (url.pathname.startsWith("/v1/customers/") && request.method === "GET" && action === undefined) {
      const customer = book.get("customer", id);
      return customer === null ? missing("customer", id) : Response.json(customer);
    }
    if (isPost && url.pathname === "/v1/checkout/sessions") return createSession(url, text);
    const expiring = /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/.exec(url.pathname);
    if (isPost && expiring?.[1] !== undefined) return expireSession(url, expiring[1]);
    const found = routeOf(request.method, url.pathname);
    if (found === null) return forward(request.method, url, text);
    return found.route({ book, url, form: readForm(text), origin: server.origin, takeDecline }, found.id);
  }

  async function answerPage(request: Request, url: URL, text: string): Promise<Response> {
    const [, kind = "", id = "", action] = url.pathname.split("/");
    if (kind === "checkout") {
      if (request.method === "POST") return completeCheckout(url, text, id);
      return showCheckout(url, id);
    }
    if (kind === "receipts" || kind === "invoices") {
      const object = book.find(id);
      if (object?.object === "charge") return receiptPage(object);
      return object?.object === "invoice" ? invoicePage(object) : htmlPage("Not found", "", 404);
    }
    if (kind !== "portal") return forward(request.method, url, text);
    const session = book.get("billing_portal.session", id);
    if (session === null) return htmlPage("Not found", "", 404);
    if (request.method !== "POST") return portalPage(book, session);
    const plan = book.get("subscription", readForm(text).get("subscription"));
    if (plan?.customer === session.customer) setCancelAtPeriodEnd(book, plan.id, action === "cancel");
    return new Response(null, { status: 303, headers: { Location: session.url } });
  }

  async function handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const text = request.method === "GET" || request.method === "HEAD" ? "" : await request.text();
    if (!url.pathname.startsWith("/v1/")) return answerPage(request, url, text);
    if (!/^(Bearer|Basic) ./.test(request.headers.get("Authorization") ?? "")) {
      return refusal(401, "You did not provide an API key.");
    }
    const key = request.method === "POST" ? request.headers.get("Idempotency-Key") : null;
    return idempotent.answer(key, `${url.pathname} ${text}`, () => answerInterface(request, url, text));
  }

  return {
    origin: server.origin,
    book,
    failNextPayment: (decline) => {
      declineNext = decline;
    },
    takeDecline,
    stop: async () => {
      await server.close();
      await emulator.close();
    },
  };
}
