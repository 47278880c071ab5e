import { expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { addMember, callAs, createAccount } from "../support/accounts.ts";
import { apply, NOW_SECONDS, placeOrder } from "../support/billing.ts";
import { BILLING } from "../support/billing-webhook.ts";
import { execute } from "../support/database.ts";

type Account = Awaited<ReturnType<typeof createAccount>>;

const ask = (account: Account, path = "", workspaceId = account.workspaceId) =>
  callAs(account, "GET", `/api/account/workspaces/${workspaceId}/billing${path}`, { settings: BILLING });

async function buy(workspaceId: string, atSeconds: number, amount = 1_000) {
  const order = await placeOrder(workspaceId, { amount });
  const paymentId = `pi_${newId().replaceAll("-", "")}`;
  const { orderId, currency } = order;
  await apply({ kind: "payment-succeeded", paymentId, orderId, amount, currency }, atSeconds);
  return paymentId;
}

it("the overview has the price list without the provider's price ids, and defaults (API §19.4)", async () => {
  const account = await createAccount();
  const answer = await ask(account);
  expect(answer.status).toBe(200);
  expect(answer.body.data).toEqual({
    offers: [
      { offerId: "starter", kind: "credits", credits: 100, quota: null, currency: "eur", amount: 1_000 },
      { offerId: "studio", kind: "plan", credits: null, quota: 300, currency: "eur", amount: 1_900 },
    ],
    hasCustomer: false,
    plan: null,
    topUp: null,
    lowBalanceBelow: 10,
    creditsOwed: 0,
  });
});

it("the overview has the plan, automatic purchases and notices (API §19.4)", async () => {
  const account = await createAccount();
  const { workspaceId } = account;
  const month = new Date().toISOString().slice(0, 7);
  const [start, end] = [Date.now() - 1_000, Date.now() + 1_000_000];
  await execute`INSERT INTO subscriptions (subscription_id, workspace_id, status, period, quota_limit, quota_used, period_start, period_end, created_at, provider_subscription_id, plan_id, pays_until)
    VALUES (${newId()}, ${workspaceId}, 'active', 'month', 300, 7, ${start}, ${end}, 1, ${`sub_${newId()}`}, 'studio', ${end})`;
  await execute`INSERT INTO top_up_rules (workspace_id, offer_id, credits, currency, amount, below_credits, monthly_credits_max, status, updated_at)
    VALUES (${workspaceId}, 'starter', 100, 'eur', 1000, 20, 400, 'active', 1)`;
  await execute`INSERT INTO top_ups (top_up_id, workspace_id, offer_id, credits, month, status, created_at)
    VALUES (${newId()}, ${workspaceId}, 'starter', 100, ${month}, 'paid', 1), (${newId()}, ${workspaceId}, 'starter', 100, ${month}, 'failed', 1)`;
  await execute`INSERT INTO billing_customers VALUES (${workspaceId}, ${`cus_${newId()}`}, 1)`;
  expect((await ask(account)).body.data).toMatchObject({
    hasCustomer: true,
    plan: { offerId: "studio", quota: 300, used: 7, cancelAt: null },
    topUp: {
      offerId: "starter",
      credits: 100,
      belowCredits: 20,
      monthlyCreditsMax: 400,
      boughtThisMonth: 100,
      status: "active",
    },
  });
});

it("payments are listed in pages, newest first, with refunds (API §19.5)", async () => {
  const account = await createAccount();
  const { workspaceId } = account;
  const paymentIds: string[] = [];
  for (let number = 0; number < 3; number += 1)
    paymentIds.unshift(await buy(workspaceId, NOW_SECONDS + (number >> 1)));
  const [newest = ""] = paymentIds;
  await apply({
    kind: "refunded",
    paymentId: newest,
    amountRefunded: 250,
    receiptUrl: "https://pay.stripe.test/r",
  });
  const first = await ask(account, "/payments?limit=2");
  expect(first.body.data.items[0]).toMatchObject({
    paymentId: newest,
    amount: 1_000,
    credits: 100,
    amountRefunded: 250,
    receiptUrl: "https://pay.stripe.test/r",
  });
  const second = await ask(account, `/payments?limit=2&before=${first.body.data.nextBefore}`);
  expect(second.body.data.nextBefore).toBeNull();
  const seen = [...first.body.data.items, ...second.body.data.items].map(({ paymentId }) => paymentId);
  expect([...seen].sort()).toEqual([...paymentIds].sort());
});

it("a member may only read, and other accounts get 404 (API §19.3)", async () => {
  const [owner, member, stranger] = [await createAccount(), await createAccount(), await createAccount()];
  await addMember(owner.workspaceId, member.accountId, "member");
  expect((await ask(member, "", owner.workspaceId)).status).toBe(200);
  expect((await ask(stranger, "", owner.workspaceId)).status).toBe(404);
  expect((await ask(stranger, "/payments", owner.workspaceId)).status).toBe(404);
  const path = `/api/account/workspaces/${owner.workspaceId}/billing/notices`;
  const change = (account: Account) =>
    callAs(account, "PUT", path, { settings: BILLING, body: { lowBalanceBelow: 50 } });
  expect((await change(member)).body.error.code).toBe("ROLE_INSUFFICIENT");
  expect((await change(owner)).body.data).toEqual({ lowBalanceBelow: 50 });
  expect((await change(owner)).status).toBe(200);
  expect((await ask(owner)).body.data.lowBalanceBelow).toBe(50);
});
