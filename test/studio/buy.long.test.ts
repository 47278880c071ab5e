import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  buyOnPage,
  type EmulatedStudio,
  openEmulatedStudio,
  ownFaults,
  pressInMail,
} from "./support/emulated.ts";
import { loadSample, orderButton, untilPack } from "./support/order.ts";
import { flawsOf } from "./support/shown.ts";
import { signUpOnPage } from "./support/sign-up.ts";
import { openVisitor, type Visitor } from "./support/studio.ts";

/** Tests the life of a plan, and automatic top-ups until the card is declined, using only pages and emails. */

let studio: EmulatedStudio;
beforeAll(async () => {
  studio = await openEmulatedStudio();
});
afterEach(() => studio.emulators.moveClock(0));
afterAll(() => studio.close());

/** Time until the plan's period ends. The service accepts events dated at most five minutes in the future. */
const PERIOD_LEFT_MS = 4 * 60_000;

/** Milliseconds since the start of the one-month period that ends in `PERIOD_LEFT_MS`. */
function monthStartAgoMs(): number {
  const end = new Date(Date.now() + PERIOD_LEFT_MS);
  const start = new Date(end);
  start.setUTCMonth(end.getUTCMonth() - 1);
  if (start.getUTCDate() !== end.getUTCDate()) start.setUTCDate(0);
  return Date.now() - start.getTime();
}

/** Signs up and confirms the address. Returns the workspace. */
async function openConfirmed(visitor: Visitor, email: string): Promise<string> {
  const { page } = visitor;
  await page.goto("/sign-up");
  await signUpOnPage(page, "Grace", email);
  await page.waitForURL(/\/create\b/);
  const mail = await studio.emulators.waitForMail(email);
  const confirmed = await pressInMail(studio, visitor, mail, "Confirm the address");
  await confirmed.getByText(`${email} is confirmed.`).waitFor();
  await confirmed.close();
  return new URL(page.url()).pathname.split("/")[2] ?? "";
}

const orderPack = async (page: Page, workspaceId: string): Promise<void> => {
  await page.goto(`/w/${workspaceId}/create`);
  await loadSample(page);
  await orderButton(page).click();
  await untilPack(page);
};

/** Reloads until the element appears; no event announces it. */
const untilShown = (page: Page, wanted: Locator): Promise<void> =>
  expect
    .poll(
      async () => {
        await page.reload();
        await page.getByRole("region", { name: "Receipts" }).waitFor();
        return wanted.first().isVisible();
      },
      { timeout: 90_000 },
    )
    .toBe(true);

/** Buys the plan so that its first period ends in minutes, and shows the billing page. Returns the plan's id. */
async function buyEndingPlan(page: Page, billing: string): Promise<string> {
  studio.emulators.moveClock(-monthStartAgoMs());
  await page.goto(billing);
  await buyOnPage(
    page,
    "Choose the plan of 300 credits for €19.00 a month",
    "€19.00",
    "Thank you. Your plan has begun: 300 credits a month for €19.00.",
  );
  await page.getByText("0 of 300 credits used").first().waitFor();
  return studio.emulators.book.all("subscription").at(-1)?.id ?? "";
}

test("a plan's credits are restored when its next period is paid", async () => {
  const { emulators } = studio;
  const visitor = await openVisitor(studio);
  const { page } = visitor;
  const workspaceId = await openConfirmed(visitor, "plan@buy.example");
  const billing = `/w/${workspaceId}/billing`;
  const planId = await buyEndingPlan(page, billing);
  expect(await flawsOf(page, "billing with a plan")).toEqual([]);
  await orderPack(page, workspaceId);
  await page.goto(billing);
  await page.getByText("10 of 300 credits used").first().waitFor();
  await page.getByRole("link", { name: "290 credits", exact: true }).waitFor();

  emulators.moveClock(0);
  emulators.renewPlan(planId);
  await emulators.delivered();
  await page.reload();
  await page.getByText("0 of 300 credits used", { exact: true }).first().waitFor();
  const payments = page.getByRole("region", { name: "Receipts" }).getByText("€19.00");
  await expect.poll(() => payments.count()).toBe(2);
  expect(ownFaults(studio, visitor)).toEqual([]);
});

test("a canceled plan ends with its period, is not charged again, and can be replaced", async () => {
  const { emulators } = studio;
  const visitor = await openVisitor(studio);
  const { page } = visitor;
  const workspaceId = await openConfirmed(visitor, "cancel@buy.example");
  const planId = await buyEndingPlan(page, `/w/${workspaceId}/billing`);
  const invoices = emulators.book.all("invoice").length;

  await page.getByRole("button", { name: "Change or cancel the plan" }).click();
  await page.getByRole("button", { name: "Cancel plan" }).click();
  await page.getByRole("button", { name: "Don't cancel plan" }).waitFor();
  await emulators.delivered();
  await page.getByRole("link", { name: "Return to Creative Packs" }).click();
  await page.getByText("Canceled: ends on").waitFor();
  emulators.moveClock(0);
  emulators.renewPlan(planId);
  await emulators.delivered();
  await page.reload();
  await page.getByRole("button", { name: "Choose the plan of 300 credits for €19.00 a month" }).waitFor();
  expect(emulators.book.all("invoice")).toHaveLength(invoices);
  expect(ownFaults(studio, visitor)).toEqual([]);
});

test("automatic top-up charges the saved card until it is declined", async () => {
  const { emulators, service } = studio;
  const email = "top-up@buy.example";
  const visitor = await openVisitor(studio);
  const { page } = visitor;
  const workspaceId = await openConfirmed(visitor, email);
  await page.goto(`/w/${workspaceId}/billing`);
  await buyOnPage(page, "Buy 100 credits for €9.00", "€9.00", "100 credits were added for €9.00.");

  await page.getByLabel("When fewer credits are left than").fill("150");
  await page.getByText("You have 100 credits left, so 100 are bought right away for €9.00.").waitFor();
  await page.getByRole("button", { name: "Turn on", exact: true }).click();
  await page.getByText("Buys 100 credits when fewer than 150 are left.").waitFor();
  expect(await flawsOf(page, "billing with a top-up")).toEqual([]);
  await service.sweep();
  const receipts = page.getByRole("region", { name: "Receipts" });
  await untilShown(page, receipts.getByText("100 credits, automatic top-up"));
  await page.getByText("100 of at most 300 credits bought this month.").waitFor();

  emulators.failNextPayment();
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await page.getByLabel("When fewer credits are left than").fill("250");
  await page.getByRole("button", { name: "Turn on", exact: true }).click();
  await page.getByText("Buys 100 credits when fewer than 250 are left.").waitFor();
  await service.sweep();
  await untilShown(page, page.getByText("The last purchase did not go through"));
  const mail = await emulators.waitForMail(email, ({ subject }) => subject === "Automatic top-up failed");
  expect(mail.text).toContain("/billing");
  const paid = emulators.book.all("charge").filter(({ receipt_email: to, customer }) => {
    return to === email || emulators.book.get("customer", customer)?.email === email;
  });
  expect(paid.filter((charge) => charge.paid)).toHaveLength(2);
  expect(ownFaults(studio, visitor)).toEqual([]);
});
