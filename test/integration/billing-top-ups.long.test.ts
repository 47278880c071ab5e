import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { attemptTopUps } from "#domains/billing/purchases/attempt-top-ups.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { newId } from "#platform/ids.ts";
import { callAs, createAccount } from "../support/accounts.ts";
import { apply, NOW_SECONDS } from "../support/billing.ts";
import { BILLING } from "../support/billing-webhook.ts";
import { execute, selectRow, selectRows } from "../support/database.ts";
import { paidJobId, spend } from "../support/ledger.ts";
import { answerAsStripe, stripeError } from "../support/stripe-answers.ts";
import { grantCredits } from "../support/top-ups.ts";
import { configured } from "../support/workspace.ts";

type Account = Awaited<ReturnType<typeof createAccount>>;
type Stripe = ReturnType<typeof answerAsStripe>;

const MINUTE = 60_000;
const RULE = { offerId: "starter", belowCredits: 20, monthlyCreditsMax: 300 };

const path = (account: Account) => `/api/account/workspaces/${account.workspaceId}/billing/top-up`;
const setRule = (account: Account, rule: object = RULE) =>
  callAs(account, "PUT", path(account), { settings: BILLING, body: rule });

/** An owner with a card at the provider. */
async function buyer(stripe: Stripe): Promise<Account> {
  const account = await createAccount();
  await execute`UPDATE accounts SET is_email_verified = 1 WHERE email = ${account.email}`;
  await execute`INSERT INTO billing_customers VALUES (${account.workspaceId}, ${stripe.addCustomer()}, 1)`;
  return account;
}

/** Attempts the open purchases, as the sweep does at this time. */
function attempt(atMs = Date.now()) {
  const { billing } = readCapabilities(configured(BILLING));
  if (billing === null) throw new Error("nothing is sold");
  return attemptTopUps(env.DB, billing, atMs, 50);
}

interface TopUpRow {
  readonly top_up_id: string;
  readonly status: string;
  readonly payment_id: string | null;
  readonly failure_code: string | null;
  readonly attempts: number;
}

const topUpsOf = ({ workspaceId }: Account): Promise<TopUpRow[]> =>
  selectRows<TopUpRow>`SELECT * FROM top_ups WHERE workspace_id = ${workspaceId} ORDER BY created_at, rowid`;
const onlyTopUp = async (account: Account): Promise<TopUpRow> => {
  const [row, ...others] = await topUpsOf(account);
  if (row === undefined || others.length > 0) throw new Error("not one purchase");
  return row;
};
const creditsOf = async ({ workspaceId }: Account) =>
  (await selectRow<{ credits: number }>`SELECT credits FROM workspaces WHERE workspace_id = ${workspaceId}`)
    ?.credits;
const ruleStatus = async ({ workspaceId }: Account) =>
  (await selectRow<{ status: string }>`SELECT status FROM top_up_rules WHERE workspace_id = ${workspaceId}`)
    ?.status;
const mailsTo = ({ email }: Account) =>
  selectRows`SELECT kind, facts FROM mail_messages WHERE address = ${email} AND kind = 'top-up-failed'`;
const intentsOf = ({ asked }: Stripe, { top_up_id }: TopUpRow) =>
  asked.filter(
    ({ method, path: asks, idempotencyKey }) =>
      method === "POST" && asks === "/v1/payment_intents" && idempotencyKey === `top-up:${top_up_id}`,
  );

/** The provider reports that the payment has succeeded. */
const tellPaid = ({ top_up_id, payment_id }: TopUpRow) =>
  apply({
    kind: "payment-succeeded",
    paymentId: payment_id ?? `pi_${top_up_id}`,
    orderId: top_up_id,
    amount: 1_000,
    currency: "eur",
  });

describe("setting the rule", () => {
  it("buys at once if the balance is already too low, and shows the rule (API §19.10)", async () => {
    const account = await buyer(answerAsStripe());
    const answer = await setRule(account);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ ...RULE, credits: 100, boughtThisMonth: 100, status: "active" });
    expect(await onlyTopUp(account)).toMatchObject({ status: "open", attempts: 0 });
    await setRule(account);
    expect(await topUpsOf(account)).toHaveLength(1);
  });

  it("requires a card at the provider (API §19.10)", async () => {
    const stripe = answerAsStripe();
    const account = await createAccount();
    expect((await setRule(account)).body.error.code).toBe("PAYMENT_METHOD_REQUIRED");
    const customerId = stripe.addCustomer();
    stripe.cards.clear();
    await execute`INSERT INTO billing_customers VALUES (${account.workspaceId}, ${customerId}, 1)`;
    expect((await setRule(account)).body.error).toMatchObject({ code: "PAYMENT_METHOD_REQUIRED" });
    expect(await topUpsOf(account)).toEqual([]);
  });

  it.each([
    ["an unknown offer", { ...RULE, offerId: "nothing" }, "OFFER_UNKNOWN"],
    ["a plan", { ...RULE, offerId: "studio" }, "OFFER_UNKNOWN"],
    ["a cap below one purchase", { ...RULE, monthlyCreditsMax: 99 }, "INVALID_REQUEST"],
  ])("refuses %s (API §19.10)", async (_, rule, code) => {
    const account = await buyer(answerAsStripe());
    expect((await setRule(account, rule)).body.error.code).toBe(code);
  });

  it("can be undone, which also ends unpaid purchases (API §19.11)", async () => {
    const stripe = answerAsStripe();
    const account = await buyer(stripe);
    await setRule(account);
    for (let time = 0; time < 2; time += 1) {
      expect((await callAs(account, "DELETE", path(account), { settings: BILLING })).status).toBe(200);
    }
    await attempt();
    expect(await onlyTopUp(account)).toMatchObject({ status: "failed", failure_code: "withdrawn" });
    expect(intentsOf(stripe, await onlyTopUp(account))).toEqual([]);
    expect(await mailsTo(account)).toEqual([]);
  });
});

describe("a purchase", () => {
  it("is requested once with the saved card, and granted only by the payment event", async () => {
    const stripe = answerAsStripe();
    const account = await buyer(stripe);
    await setRule(account);
    await attempt();
    const row = await onlyTopUp(account);
    expect(row).toMatchObject({ status: "open", attempts: 1, payment_id: expect.stringMatching(/^pi_/) });
    const [asked] = intentsOf(stripe, row);
    expect(Object.fromEntries(asked?.form ?? [])).toMatchObject({
      amount: "1000",
      currency: "eur",
      confirm: "true",
      off_session: "true",
      payment_method: expect.stringMatching(/^pm_/),
      "metadata[orderId]": row.top_up_id,
      "metadata[kind]": "top-up",
    });
    expect(await creditsOf(account)).toBe(0);
    expect(await tellPaid(row)).toBe("applied");
    expect(await creditsOf(account)).toBe(100);
    await tellPaid(row);
    await attempt(Date.now() + 120 * MINUTE);
    expect(await creditsOf(account)).toBe(100);
    expect(await onlyTopUp(account)).toMatchObject({ status: "paid" });
    expect(intentsOf(stripe, row)).toHaveLength(1);
  });

  it("is opened by the job that lowers the balance below the threshold, not by an earlier job", async () => {
    const account = await buyer(answerAsStripe());
    await grantCredits(account.workspaceId, 30);
    await setRule(account);
    await paidJobId(spend(account.workspaceId, 10));
    expect(await topUpsOf(account)).toEqual([]);
    await paidJobId(spend(account.workspaceId, 1));
    await paidJobId(spend(account.workspaceId, 1));
    expect(await topUpsOf(account)).toHaveLength(1);
  });

  it("stops at the monthly cap", async () => {
    const account = await buyer(answerAsStripe());
    await setRule(account, { ...RULE, belowCredits: 1_000, monthlyCreditsMax: 250 });
    for (let turn = 0; turn < 4; turn += 1) {
      await attempt();
      const open = (await topUpsOf(account)).find(({ status }) => status === "open");
      if (open !== undefined) await tellPaid(open);
    }
    expect((await topUpsOf(account)).map(({ status }) => status)).toEqual(["paid", "paid"]);
    expect(await creditsOf(account)).toBe(200);
  });

  it("whose answer was lost is retried with the same idempotency key and body", async () => {
    let isBroken = true;
    const stripe = answerAsStripe(({ method, path: asks }) => {
      if (method !== "POST" || asks !== "/v1/payment_intents" || !isBroken) return null;
      return stripeError(500, { type: "api_error" });
    });
    const account = await buyer(stripe);
    await setRule(account);
    await attempt();
    const first = await onlyTopUp(account);
    expect(first).toMatchObject({ status: "open", payment_id: null, attempts: 1 });
    // Too early, because the previous attempt may still be running.
    await attempt();
    expect((await onlyTopUp(account)).attempts).toBe(1);
    isBroken = false;
    // The owner has replaced the card since the first attempt.
    stripe.cards.clear();
    await attempt(Date.now() + 2 * MINUTE);
    expect(await onlyTopUp(account)).toMatchObject({
      attempts: 2,
      payment_id: expect.stringMatching(/^pi_/),
    });
    const forms = intentsOf(stripe, first).map(({ form }) => form.toString());
    expect(new Set(forms).size).toBe(1);
  });

  it("is attempted once by many concurrent runs", async () => {
    const stripe = answerAsStripe();
    const account = await buyer(stripe);
    await setRule(account);
    await Promise.all(Array.from({ length: 6 }, () => attempt()));
    expect(intentsOf(stripe, await onlyTopUp(account))).toHaveLength(1);
    expect((await onlyTopUp(account)).attempts).toBe(1);
  });

  it("without an answer for a day is given up, but still granted if its event arrives", async () => {
    const stripe = answerAsStripe(({ path: asks }) =>
      asks === "/v1/payment_intents" ? stripeError(503, { type: "api_error" }) : null,
    );
    const account = await buyer(stripe);
    await setRule(account);
    await attempt();
    await attempt(Date.now() + 24 * 60 * MINUTE);
    const row = await onlyTopUp(account);
    expect(row).toMatchObject({ status: "failed", failure_code: "no_answer" });
    expect(await ruleStatus(account)).toBe("paused");
    await tellPaid(row);
    expect(await creditsOf(account)).toBe(100);
    expect((await onlyTopUp(account)).status).toBe("paid");
  });
});

describe("a failed payment", () => {
  it.each([
    ["declined", { code: "card_declined", decline_code: "insufficient_funds" }, "insufficient_funds"],
    ["in need of confirmation", { code: "authentication_required" }, "authentication_required"],
  ])("with the card %s pauses the rule and sends one mail", async (_, error, reason) => {
    const stripe = answerAsStripe(({ path: asks }) =>
      asks === "/v1/payment_intents" ? stripeError(402, { type: "card_error", ...error }) : null,
    );
    const account = await buyer(stripe);
    await setRule(account);
    await attempt();
    await attempt(Date.now() + 120 * MINUTE);
    expect(await onlyTopUp(account)).toMatchObject({ status: "failed", failure_code: reason, attempts: 1 });
    expect(await ruleStatus(account)).toBe("paused");
    expect(await mailsTo(account)).toEqual([
      {
        kind: "top-up-failed",
        facts: JSON.stringify({ workspaceId: account.workspaceId, offerId: "starter", credits: 100, reason }),
      },
    ]);
    // A paused rule buys nothing until it is set again.
    await grantCredits(account.workspaceId, 5);
    await paidJobId(spend(account.workspaceId, 1));
    expect(await topUpsOf(account)).toHaveLength(1);
    await setRule(account);
    expect(await topUpsOf(account)).toHaveLength(2);
  });

  it("at another price than agreed is not requested", async () => {
    const stripe = answerAsStripe();
    const account = await buyer(stripe);
    await setRule(account);
    await execute`UPDATE top_up_rules SET amount = 900 WHERE workspace_id = ${account.workspaceId}`;
    await attempt();
    expect(await onlyTopUp(account)).toMatchObject({ status: "failed", failure_code: "offer_changed" });
    expect(intentsOf(stripe, await onlyTopUp(account))).toEqual([]);
  });

  it("is not requested while a payment is disputed", async () => {
    const account = await buyer(answerAsStripe());
    await setRule(account);
    await attempt();
    const row = await onlyTopUp(account);
    await tellPaid(row);
    await apply(
      {
        kind: "disputed",
        paymentId: row.payment_id ?? "",
        disputeId: newId(),
        amount: 500,
        currency: "eur",
        status: "open",
      },
      NOW_SECONDS + 1,
    );
    await paidJobId(spend(account.workspaceId, 45));
    await attempt();
    expect((await topUpsOf(account)).at(-1)).toMatchObject({
      status: "failed",
      failure_code: "payment_disputed",
    });
  });
});

describe("the provider's page", () => {
  const portal = (account: Account) =>
    callAs(account, "POST", `/api/account/workspaces/${account.workspaceId}/billing/portal`, {
      settings: BILLING,
    });

  it("exists after a purchase, and returns here (API §19.9)", async () => {
    const stripe = answerAsStripe();
    const account = await buyer(stripe);
    const answer = await portal(account);
    expect(answer.status).toBe(201);
    expect(answer.body.data.url).toMatch(/^https:\/\/billing\.stripe\.test\//);
    const form = stripe.asked.find(({ path: asks }) => asks === "/v1/billing_portal/sessions")?.form;
    expect(form?.get("return_url")).toBe(`https://packs.example/w/${account.workspaceId}/billing`);
  });
});
