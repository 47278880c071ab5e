import { describe, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { addMember, callAs, createAccount } from "../support/accounts.ts";
import { apply, NOW_SECONDS, paidFactOf, placeOrder } from "../support/billing.ts";
import { BILLING, OFFERS } from "../support/billing-webhook.ts";
import { execute, selectRow, selectRows } from "../support/database.ts";
import { MAIL } from "../support/mail.ts";
import { answerAsStripe, stripeError } from "../support/stripe-answers.ts";
import type { Settings } from "../support/workspace.ts";

type Account = Awaited<ReturnType<typeof createAccount>>;

const begin = (
  account: Account,
  {
    offerId = "starter",
    key = newId(),
    settings = BILLING,
  }: { offerId?: string; key?: string; settings?: Settings } = {},
) =>
  callAs(account, "POST", `/api/account/workspaces/${account.workspaceId}/billing/checkout`, {
    settings,
    headers: { "Idempotency-Key": key },
    body: { offerId },
  });

const ordersOf = (workspaceId: string) =>
  selectRows`SELECT order_id, kind, offer_id, amount, credits, quota, session_id FROM billing_orders WHERE workspace_id = ${workspaceId}`;

describe("a purchase of credits", () => {
  it("creates an order, a customer, and a checkout page that names the order and returns here (API §19.1)", async () => {
    const { asked } = answerAsStripe();
    const account = await createAccount();
    const { workspaceId } = account;
    const answer = await begin(account);
    expect(answer.status).toBe(201);
    expect(answer.body.data.url).toMatch(/^https:\/\/checkout\.stripe\.test\//);
    const [order] = await ordersOf(workspaceId);
    expect(order).toMatchObject({ kind: "credits", offer_id: "starter", amount: 1_000, credits: 100 });
    const form = Object.fromEntries(asked.find(({ path }) => path === "/v1/checkout/sessions")?.form ?? []);
    expect(form).toMatchObject({
      mode: "payment",
      "line_items[0][price]": "price_starter",
      "line_items[0][quantity]": "1",
      "payment_intent_data[metadata][orderId]": order?.order_id,
      "payment_intent_data[metadata][workspaceId]": workspaceId,
      "payment_intent_data[setup_future_usage]": "off_session",
      "metadata[orderId]": order?.order_id,
      success_url: `https://packs.example/w/${workspaceId}/billing?bought=1`,
      cancel_url: `https://packs.example/w/${workspaceId}/billing?bought=0`,
    });
    expect(await selectRow`SELECT credits FROM workspaces WHERE workspace_id = ${workspaceId}`).toEqual({
      credits: 0,
    });
  });

  it("creates one customer for concurrent purchases", async () => {
    answerAsStripe();
    const account = await createAccount();
    const answers = await Promise.all(Array.from({ length: 4 }, () => begin(account)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const customers =
      await selectRows`SELECT customer_id FROM billing_customers WHERE workspace_id = ${account.workspaceId}`;
    expect(customers).toHaveLength(1);
  });

  it("creates another customer if the provider has deleted the first", async () => {
    const { objects } = answerAsStripe();
    const account = await createAccount();
    await begin(account);
    objects.clear();
    expect((await begin(account)).status).toBe(201);
  });

  it("continues the order of an interrupted request", async () => {
    let isDown = true;
    const { asked } = answerAsStripe(({ path }) => {
      if (!isDown || path !== "/v1/checkout/sessions") return null;
      return stripeError(402, { type: "card_error" });
    });
    const account = await createAccount();
    const key = newId();
    expect((await begin(account, { key })).status).toBe(502);
    isDown = false;
    expect((await begin(account, { key })).status).toBe(201);
    expect(await ordersOf(account.workspaceId)).toHaveLength(1);
    const keys = asked
      .filter(({ path }) => path === "/v1/checkout/sessions")
      .map((one) => one.idempotencyKey);
    expect(new Set(keys).size).toBe(1);
  });
});

describe("a purchase of a plan", () => {
  it("subscribes, with the order in the subscription's metadata (API §19.1)", async () => {
    const { asked } = answerAsStripe();
    const account = await createAccount();
    expect((await begin(account, { offerId: "studio" })).status).toBe(201);
    const [order] = await ordersOf(account.workspaceId);
    expect(order).toMatchObject({ kind: "plan", quota: 300, credits: 0 });
    const form = Object.fromEntries(asked.find(({ path }) => path === "/v1/checkout/sessions")?.form ?? []);
    expect(form).toMatchObject({
      mode: "subscription",
      "subscription_data[metadata][orderId]": order?.order_id,
    });
  });

  it("is 409 PLAN_ACTIVE if the workspace has a subscription (API §19.2)", async () => {
    answerAsStripe();
    const account = await createAccount();
    await execute`INSERT INTO subscriptions (subscription_id, workspace_id, status, period, quota_limit, period_start, period_end, created_at)
      VALUES (${newId()}, ${account.workspaceId}, 'active', 'month', 10, 1, 2, 1)`;
    expect((await begin(account, { offerId: "studio" })).body.error.code).toBe("PLAN_ACTIVE");
    expect((await begin(account)).status).toBe(201);
  });
});

describe("a purchase is refused", () => {
  it("to a member: 403 ROLE_INSUFFICIENT (API §19.3)", async () => {
    const [owner, member] = [await createAccount(), await createAccount()];
    await addMember(owner.workspaceId, member.accountId, "member");
    const answer = await begin({ ...member, workspaceId: owner.workspaceId });
    expect(answer.body.error.code).toBe("ROLE_INSUFFICIENT");
  });

  it("until the owner's address is confirmed, if mail is sent: 403 EMAIL_NOT_CONFIRMED (API §19.2)", async () => {
    answerAsStripe();
    const account = await createAccount();
    await execute`UPDATE accounts SET is_email_verified = 0 WHERE account_id = ${account.accountId}`;
    const settings = { ...BILLING, ...MAIL };
    expect((await begin(account, { settings })).body.error.code).toBe("EMAIL_NOT_CONFIRMED");
    await execute`UPDATE accounts SET is_email_verified = 1 WHERE account_id = ${account.accountId}`;
    expect((await begin(account, { settings })).status).toBe(201);
  });

  it("while a payment is disputed: 409 PAYMENT_DISPUTED (API §19.2)", async () => {
    answerAsStripe();
    const account = await createAccount();
    const paid = paidFactOf(await placeOrder(account.workspaceId));
    await apply(paid);
    const { paymentId, amount, currency } = paid;
    const dispute = { kind: "disputed" as const, paymentId, disputeId: `du_${newId()}`, amount, currency };
    await apply({ ...dispute, status: "open" });
    expect((await begin(account)).body.error.code).toBe("PAYMENT_DISPUTED");
    await apply({ ...dispute, status: "won" }, NOW_SECONDS + 1);
    expect((await begin(account)).status).toBe(201);
  });

  it.each([
    ["does not answer", () => Promise.reject(new TypeError("no route")), 503, "SERVICE_UNAVAILABLE"],
    ["has failed", () => stripeError(500, { type: "api_error" }), 503, "SERVICE_UNAVAILABLE"],
    [
      "is overloaded",
      () => stripeError(429, { type: "invalid_request_error", code: "rate_limit" }),
      503,
      "SERVICE_UNAVAILABLE",
    ],
    [
      "rejects our key",
      () => stripeError(401, { type: "invalid_request_error" }),
      502,
      "PAYMENT_PROVIDER_FAILED",
    ],
    [
      "does not have the price",
      () => stripeError(400, { type: "invalid_request_error", code: "resource_missing" }),
      502,
      "PAYMENT_PROVIDER_FAILED",
    ],
  ])("if the provider %s (API §19.2)", async (_, fault, status, code) => {
    answerAsStripe(({ path }) => (path === "/v1/checkout/sessions" ? fault() : null));
    const answer = await begin(await createAccount());
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(code);
  });

  it("if the provider's price differs from the offer; the checkout page is expired (API §19.2)", async () => {
    const { asked } = answerAsStripe();
    const [offer] = OFFERS;
    const settings = { ...BILLING, BILLING_OFFERS: JSON.stringify([{ ...offer, amount: 900 }]) };
    const answer = await begin(await createAccount(), { settings });
    expect(answer.body.error.code).toBe("PAYMENT_PROVIDER_FAILED");
    expect(asked.at(-1)?.path).toMatch(/^\/v1\/checkout\/sessions\/cs_[\w-]+\/expire$/);
  });

  it("after a hundred purchases in a day: 429 RATE_LIMITED (API §19.2)", async () => {
    const { asked } = answerAsStripe();
    const account = await createAccount();
    await execute`INSERT INTO billing_orders (order_id, workspace_id, kind, offer_id, currency, amount, credits, created_at)
      SELECT ${account.workspaceId} || value, ${account.workspaceId}, 'credits', 'starter', 'eur', 1000, 100, ${Date.now()}
      FROM (SELECT key AS value FROM json_each(${JSON.stringify(Array.from({ length: 99 }, () => 0))}))`;
    const key = newId();
    expect((await begin(account, { key })).status).toBe(201);
    const refused = await begin(account);
    expect([refused.status, refused.body.error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(refused.headers.get("Retry-After")).toBe("3600");
    expect((await begin(account, { key })).status).toBe(200);
    expect(
      asked.filter(({ method, path }) => method === "POST" && path === "/v1/checkout/sessions"),
    ).toHaveLength(1);
  });
});
