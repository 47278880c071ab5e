import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendAs } from "../conformance/support/people.ts";
import { loadSample, orderArea } from "./support/order.ts";
import { seedInvitation } from "./support/seed.ts";
import { flawsOf } from "./support/shown.ts";
import { openSignedIn, openStudio, openWorkspace, PHONE, type Studio } from "./support/studio.ts";

const OFFERS = [
  { offerId: "credits-100", kind: "credits", priceId: "p1", currency: "eur", amount: 1200, credits: 100 },
  { offerId: "credits-500", kind: "credits", priceId: "p2", currency: "eur", amount: 5450, credits: 500 },
  { offerId: "studio-300", kind: "plan", priceId: "p3", currency: "eur", amount: 2900, quota: 300 },
];

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio({
    vars: {
      STRIPE_SECRET_KEY: "sk_test_of_the_studio",
      STRIPE_WEBHOOK_SECRET: "whsec_of_the_studio_tests_0123456789",
      BILLING_OFFERS: JSON.stringify(OFFERS),
    },
  });
});
afterAll(() => studio.close());

/** Inserts a payment as the provider's event does; no page or route can. */
const writePayment = (workspaceId: string, paidAtMs: number): Promise<unknown> =>
  studio.service.db
    .prepare(
      "INSERT INTO payments (payment_id, workspace_id, kind, offer_id, currency, amount, credits, paid_at, receipt_url, created_at) " +
        "VALUES (?1, ?2, 'credits', 'credits-500', 'eur', 5450, 500, ?3, 'https://pay.example/receipt', ?3)",
    )
    .bind(`pi_${randomUUID()}`, workspaceId, paidAtMs)
    .run();

/** Inserts a plan of 300 credits, some of them left, as the provider's event does. */
const writePlan = (workspaceId: string, left: number): Promise<unknown> =>
  studio.service.db
    .prepare(
      "INSERT INTO subscriptions (subscription_id, workspace_id, status, period, quota_limit, quota_used, period_start, period_end, created_at) " +
        "VALUES (?1, ?1, 'active', 'month', 300, 300 - ?2, ?3, ?3 + 2000000000, ?3) " +
        "ON CONFLICT DO UPDATE SET quota_used = 300 - ?2",
    )
    .bind(workspaceId, left, Date.now())
    .run();

test("offers show their prices in English and German", async () => {
  const { page, person, faults } = await openSignedIn(studio, 0);
  await openWorkspace(page, person.workspaceId, "billing");
  await page.getByRole("button", { name: "Buy 100 credits for €12.00" }).waitFor();
  await page.getByRole("button", { name: "Choose the plan of 300 credits for €29.00 a month" }).waitFor();
  await page.getByText("€0.109 a credit").waitFor();
  await page.getByText("No payments yet").waitFor();
  expect(await flawsOf(page, "billing")).toEqual([]);
  expect(faults()).toEqual([]);
  const german = await openSignedIn(studio, 0, { locale: "de-DE", viewport: PHONE });
  await openWorkspace(german.page, german.person.workspaceId, "billing");
  await german.page.getByRole("button", { name: "500 Credits für 54,50 € kaufen" }).waitFor();
  expect(await flawsOf(german.page, "billing, German, phone")).toEqual([]);
});

test("returning from the payment page adds no credits; only the provider's event does", async () => {
  const { page, person, faults } = await openSignedIn(studio, 0);
  await page.goto(`/w/${person.workspaceId}/billing?bought=1`);
  await page.getByText("Your payment is being confirmed.").waitFor();
  await writePayment(person.workspaceId, Date.now());
  await page.getByText("Thank you. 500 credits were added for €54.50.").waitFor();
  const receipt = page.getByRole("region", { name: "Receipts" }).getByRole("link", { name: /^Receipt of / });
  expect(await receipt.getAttribute("href")).toBe("https://pay.example/receipt");
  expect(await flawsOf(page, "billing after a payment")).toEqual([]);
  // After a reload the page does not wait for an event.
  await page.reload();
  await receipt.waitFor();
  expect(await page.getByText("Your payment is being confirmed.").count()).toBe(0);
  expect(faults()).toEqual([]);
});

test("leaving the payment page shows that nothing was charged", async () => {
  const { page, person } = await openSignedIn(studio, 0);
  await page.goto(`/w/${person.workspaceId}/billing?bought=0`);
  await page.getByText("You left the payment page. Nothing was charged.").waitFor();
  await page.getByRole("link", { name: "Back to your draft" }).click();
  await page.getByRole("heading", { name: "Untitled draft" }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Close this note" }).click();
  await page.waitForURL(/\/billing$/);
});

test("the order shows which source pays and how many credits remain", async () => {
  const { page, person, faults } = await openSignedIn(studio, 299);
  await writePlan(person.workspaceId, 77);
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await page.getByRole("link", { name: "376 credits" }).waitFor();
  const order = orderArea(page);
  await order
    .getByText("Paid from your plan. 366 credits will be left: 67 in the plan, 299 prepaid.")
    .waitFor();
  await writePlan(person.workspaceId, 6);
  await page.reload();
  await page.getByRole("link", { name: "305 credits" }).waitFor();
  await order
    .getByText("as the plan has too few. 295 credits will be left: 6 in the plan, 289 prepaid.")
    .waitFor();
  expect(faults()).toEqual([]);
});

test("a member sees receipts and who can buy", async () => {
  const owner = await openSignedIn(studio, 0);
  const member = await openSignedIn(studio, 0);
  const code = await seedInvitation(studio, owner.person);
  const { status } = await sendAs(studio.service, member.person, "POST", "/api/account/invitations/accept", {
    json: { code },
  });
  expect(status).toBe(200);
  await writePayment(owner.person.workspaceId, Date.now());
  await openWorkspace(member.page, owner.person.workspaceId, "billing");
  await member.page.getByText("Only owners can buy.").waitFor();
  await member.page.getByRole("row", { name: /500 credits/ }).waitFor();
  expect(await member.page.getByRole("button", { name: /^Buy/ }).count()).toBe(0);
});

test("the page shows why automatic top-up is paused and its maximum cost a month, and can turn it off", async () => {
  const { page, person } = await openSignedIn(studio, 30);
  const { workspaceId } = person;
  const { db } = studio.service;
  const nowMs = Date.now();
  await db.batch([
    db
      .prepare("INSERT INTO billing_customers (workspace_id, customer_id, created_at) VALUES (?1, ?2, ?3)")
      .bind(workspaceId, `cus_${randomUUID()}`, nowMs),
    db
      .prepare(
        "INSERT INTO top_up_rules (workspace_id, offer_id, credits, currency, amount, below_credits, monthly_credits_max, status, updated_at) " +
          "VALUES (?1, 'credits-100', 100, 'eur', 1200, 20, 300, 'paused', ?2)",
      )
      .bind(workspaceId, nowMs),
  ]);
  await openWorkspace(page, workspaceId, "billing");
  const card = page.getByRole("region", { name: "Automatic top-up" });
  await card.getByText("The last purchase did not go through").waitFor();
  expect(await flawsOf(page, "top-up, paused")).toEqual([]);
  await card.getByRole("button", { name: "Turn on again" }).click();
  await card.getByText("At most 3 purchases of 100 credits a month: €36.00 together.").waitFor();
  await card.getByLabel("Credits a month, at most").fill("99");
  await card.getByText("Enter at least 100; with less, nothing would be bought.").waitFor();
  expect(await card.getByRole("button", { name: "Turn on" }).isDisabled()).toBe(true);
  await card.getByLabel("Credits a month, at most").fill("250");
  await card.getByText("At most 2 purchases of 100 credits a month: €24.00 together.").waitFor();
  await card.getByLabel("When fewer credits are left than").fill("50");
  await card.getByText("You have 30 credits left, so 100 are bought right away for €12.00.").waitFor();
  expect(await flawsOf(page, "top-up, form")).toEqual([]);
  await card.getByRole("button", { name: "Cancel" }).click();
  await card.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Turn off" }).click();
  await card.getByRole("button", { name: "Turn on" }).waitFor();
  await page.getByRole("button", { name: "Cards and invoices" }).waitFor();
});
