import { onTestFinished } from "vitest";
import { newId } from "#platform/ids.ts";
import { OFFERS } from "./billing-webhook.ts";
import { standInForInternet } from "./internet.ts";

/**
 * Replaces Stripe for tests of its answers: customers, cards, Checkout Sessions, off-session payments and portal pages,
 * idempotent by key as in docs.stripe.com/api/idempotent_requests.
 */

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly form: URLSearchParams;
  readonly query: URLSearchParams;
}

/** Returns Stripe's answer in place of the usual one; null for the usual one. */
type Fault = (asked: Asked) => Response | Promise<Response> | null;

export const stripeError = (status: number, error: object): Response =>
  Response.json({ error: { message: "refused", ...error } }, { status });

export function answerAsStripe(fault: Fault = () => null) {
  const asked: Asked[] = [];
  const answers = new Map<string, { readonly form: string; readonly body: object }>();
  const objects = new Map<string, object>();
  const cards = new Map<string, string>();
  let made = 0;

  const make = (prefix: string, members: object): object => {
    made += 1;
    const id = `${prefix}_${made}_${newId()}`;
    const object = { id, ...members };
    objects.set(id, object);
    return object;
  };

  function create({ path, form }: Asked): object {
    if (path === "/v1/customers") return make("cus", { object: "customer", email: form.get("email") });
    if (path === "/v1/payment_intents") {
      return make("pi", {
        object: "payment_intent",
        status: "succeeded",
        amount: Number(form.get("amount")),
      });
    }
    if (path === "/v1/billing_portal/sessions") {
      return make("bps", {
        object: "billing_portal.session",
        url: `https://billing.stripe.test/${made + 1}`,
      });
    }
    const offer = OFFERS.find(({ priceId }) => priceId === form.get("line_items[0][price]"));
    if (path !== "/v1/checkout/sessions" || offer === undefined) throw new Error(`not made here: ${path}`);
    return make("cs", {
      object: "checkout.session",
      url: `https://checkout.stripe.test/${made + 1}`,
      amount_total: offer.amount,
      currency: offer.currency,
    });
  }

  function answer(one: Asked): Response {
    if (one.path.endsWith("/expire")) return Response.json({ object: "checkout.session" });
    if (one.path === "/v1/payment_methods") {
      const data = [...cards].filter(([, customer]) => customer === one.query.get("customer"));
      return Response.json({ object: "list", has_more: false, data: data.map(([id]) => ({ id })) });
    }
    if (one.method === "GET") {
      const found = objects.get(one.path.split("/").at(-1) ?? "");
      return found === undefined
        ? stripeError(404, { type: "invalid_request_error", code: "resource_missing" })
        : Response.json(found);
    }
    const key = one.idempotencyKey ?? newId();
    const earlier = answers.get(key);
    if (earlier !== undefined && earlier.form !== one.form.toString()) {
      return stripeError(400, { type: "idempotency_error" });
    }
    const body = earlier?.body ?? create(one);
    answers.set(key, { form: one.form.toString(), body });
    return Response.json(body);
  }

  const spy = standInForInternet(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const one = {
      method: request.method,
      path: pathname,
      query: searchParams,
      idempotencyKey: request.headers.get("Idempotency-Key"),
      form: new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer())),
    };
    asked.push(one);
    return (await fault(one)) ?? answer(one);
  });
  onTestFinished(() => spy.mockRestore());
  /** A customer with a saved card; returns its id. */
  const addCustomer = (): string => {
    const id = `cus_${newId()}`;
    objects.set(id, { id, object: "customer" });
    cards.set(`pm_${newId()}`, id);
    return id;
  };
  return { asked, objects, cards, addCustomer };
}
