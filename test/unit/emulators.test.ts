/**
 * The local Stripe behaves as Stripe documents it. Plans, renewals and declined cards are in
 * test/studio/buy.long.test.ts.
 */
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Emulators, startEmulators } from "../../scripts/run/emulators/start-emulators.ts";
import type { StripeEvent } from "../../scripts/run/emulators/stripe/objects.ts";
import { serve } from "../../scripts/run/receivers/serve.ts";

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const sessionSchema = z.object({ id: z.string(), url: z.string() });
const namedSchema = z.object({ id: z.string() });

/** Verifies an event by Stripe's documented algorithm, without the Stripe library. */
function readSigned(body: string, header: string | null, secret: string): StripeEvent {
  const [, time = "", signature = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? "") ?? [];
  expect(createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")).toBe(signature);
  return JSON.parse(body);
}

/** Starts the emulators, and a service that rejects its first event. */
async function start() {
  const received: StripeEvent[] = [];
  let secret = "";
  let refusals = 1;
  const service = await serve(async (request) => {
    const body = await request.text();
    refusals -= 1;
    if (refusals >= 0) return new Response(null, { status: 503 });
    received.push(readSigned(body, request.headers.get("Stripe-Signature"), secret));
    return new Response(null, { status: 200 });
  });
  endings.push(service.close);
  const emulators = await startEmulators();
  endings.push(emulators.stop);
  secret = emulators.join(service.origin).stripe.STRIPE_WEBHOOK_SECRET ?? "";
  const types = () => received.map(({ type }) => type).sort();
  return { emulators, received, types };
}

function post(
  { stripeOrigin }: Emulators,
  path: string,
  form: Readonly<Record<string, string>>,
  key: string | null = null,
): Promise<Response> {
  return fetch(`${stripeOrigin}${path}`, {
    method: "POST",
    headers: { Authorization: "Bearer sk_test_local", ...(key === null ? {} : { "Idempotency-Key": key }) },
    body: new URLSearchParams(form).toString(),
  });
}

async function openCheckout(emulators: Emulators, mode: "payment" | "subscription") {
  const customer = namedSchema.parse(
    await (await post(emulators, "/v1/customers", { email: "ada@emulators.example" })).json(),
  );
  const isPlan = mode === "subscription";
  const response = await post(emulators, "/v1/checkout/sessions", {
    mode,
    customer: customer.id,
    "line_items[0][price]": isPlan ? "price_local_studio_300" : "price_local_credits_100",
    "line_items[0][quantity]": "1",
    [isPlan ? "subscription_data[metadata][offerId]" : "payment_intent_data[metadata][offerId]"]: "of",
    ...(isPlan ? {} : { "payment_intent_data[setup_future_usage]": "off_session" }),
    success_url: "http://127.0.0.1:9/bought",
  });
  return { customer, session: sessionSchema.parse(await response.json()) };
}

describe("checkout", () => {
  test("a paid session creates a payment with its charge and metadata, and sends signed events", async () => {
    const { emulators, types, received } = await start();
    const { customer, session } = await openCheckout(emulators, "payment");
    await emulators.pay(session.url);
    await emulators.pay(session.url);
    await emulators.delivered();
    expect(types()).toEqual(["charge.succeeded", "checkout.session.completed", "payment_intent.succeeded"]);
    const completed = received.find(({ type }) => type === "checkout.session.completed")?.data.object;
    const [intent] = emulators.book.all("payment_intent");
    expect(completed).toMatchObject({ amount_total: 900, currency: "eur", payment_intent: intent?.id });
    expect(intent).toMatchObject({
      amount_received: 900,
      customer: customer.id,
      metadata: { offerId: "of" },
    });
    const [charge] = emulators.book.all("charge");
    const receipt = await fetch(charge?.receipt_url ?? "");
    expect(await receipt.text()).toContain("€9.00");
  });
});

describe("payments without a page", () => {
  test("an idempotency key returns its first response again, and rejects other parameters", async () => {
    const { emulators } = await start();
    const read = async (email: string) => {
      const response = await post(emulators, "/v1/customers", { email }, "customer-key");
      return { status: response.status, body: await response.text() };
    };
    expect(await read("a@emulators.example")).toEqual(await read("a@emulators.example"));
    expect((await read("b@emulators.example")).status).toBe(400);
  });
});

test("refunds never exceed the payment", async () => {
  const { emulators, types } = await start();
  const { session } = await openCheckout(emulators, "payment");
  await emulators.pay(session.url);
  const intentId = emulators.book.all("payment_intent")[0]?.id ?? "";
  emulators.refund(intentId, 300);
  expect(() => emulators.refund(intentId, 700)).toThrow("600 left");
  expect(emulators.book.all("charge")[0]).toMatchObject({ amount_refunded: 300, refunded: false });
  await emulators.delivered();
  expect(types()).toContain("charge.refunded");
});

test("customers and payments survive a restart with the same state", async () => {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-stripe-"));
  endings.push(() => rm(folder, { recursive: true }));
  const again = () => startEmulators(join(folder, "stripe.json"));
  const first = await again();
  const { customer, session } = await openCheckout(first, "payment");
  await first.pay(session.url);
  await first.stop();
  const second = await again();
  endings.push(second.stop);
  expect(second.book.all("charge")).toEqual(first.book.all("charge"));
  const response = await post(second, "/v1/checkout/sessions", {
    mode: "payment",
    customer: customer.id,
    "line_items[0][price]": "price_local_credits_100",
    "line_items[0][quantity]": "1",
  });
  expect(response.status).toBe(200);
});

test("mail is shown as it was sent", async () => {
  const { emulators } = await start();
  const sent = await fetch(`${emulators.mailOrigin}/emails`, {
    method: "POST",
    headers: { Authorization: "Bearer re_local", "Content-Type": "application/json" },
    body: JSON.stringify({
      from: "Packs <mail@packs.example>",
      to: ["ada@emulators.example"],
      subject: "Confirm <your> address",
      html: '<p>Press <a href="http://127.0.0.1:9/confirm-email#t">here</a></p>',
      text: "Press here",
    }),
  });
  expect(sent.status).toBe(200);
  const mail = await emulators.waitForMail("ada@emulators.example");
  expect(mail.html).toContain("/confirm-email#t");
  expect(await (await fetch(emulators.mailOrigin)).text()).toContain("Confirm &#60;your&#62; address");
  expect(await (await fetch(`${emulators.mailOrigin}/mails/${mail.id}`)).text()).toContain("Press here");
});
