import { afterAll, beforeAll, expect, test } from "vitest";
import { amountsExceptGrants, ledgerOf } from "./support/credits.ts";
import {
  buyOnPage,
  type EmulatedStudio,
  openEmulatedStudio,
  ownFaults,
  pressInMail,
} from "./support/emulated.ts";
import { loadSample, orderArea, orderButton, saveZip, untilPack } from "./support/order.ts";
import { flawsOf } from "./support/shown.ts";
import { signUpOnPage } from "./support/sign-up.ts";
import { openVisitor } from "./support/studio.ts";

/**
 * A new visitor becomes a customer unaided: only the emailed link confirms the address, and only the provider's webhook
 * adds the credits.
 */

let studio: EmulatedStudio;
beforeAll(async () => {
  studio = await openEmulatedStudio();
});
afterAll(() => studio.close());

test("a new visitor signs up, confirms, buys, orders, and gets the receipt by email", async () => {
  const { emulators } = studio;
  const email = "ada@buy.example";
  const visitor = await openVisitor(studio);
  const { page } = visitor;
  await page.goto("/sign-up");
  await signUpOnPage(page, "Ada", email);
  await page.waitForURL(/\/create\b/);
  const workspaceId = new URL(page.url()).pathname.split("/")[2] ?? "";

  const confirming = await emulators.waitForMail(email, ({ subject }) => subject === "Confirm your address");
  const confirmed = await pressInMail(studio, visitor, confirming, "Confirm the address");
  await confirmed.getByText(`${email} is confirmed.`).waitFor();
  await confirmed.close();

  await loadSample(page);
  await orderArea(page).getByRole("link", { name: "Buy credits" }).click();
  await page.getByText("No payments yet").waitFor();
  expect(await flawsOf(page, "billing of a new workspace")).toEqual([]);
  await buyOnPage(page, "Buy 100 credits for €9.00", "€9.00", "Thank you. 100 credits were added for €9.00.");
  await page.getByRole("region", { name: "Receipts" }).getByText("100 credits").waitFor();
  expect(await flawsOf(page, "billing after a purchase")).toEqual([]);

  await page.getByRole("link", { name: "Back to your draft" }).click();
  await page.getByText("pappus.png", { exact: true }).waitFor();
  await orderArea(page).getByText("90 credits will be left").waitFor();
  await orderButton(page).click();
  await untilPack(page);
  expect((await saveZip(page))["manifest.json"]).toBeDefined();
  expect(amountsExceptGrants(await ledgerOf(studio, visitor, workspaceId))).toEqual([-10]);

  const receipt = await emulators.waitForMail(email, ({ subject }) => subject.startsWith("Receipt for "));
  expect(receipt.subject).toBe("Receipt for €9.00: 100 credits");
  await page.goto(`/w/${workspaceId}/billing`);
  const opening = visitor.context.waitForEvent("page");
  await page.getByRole("link", { name: /^Receipt of / }).click();
  await (await opening).getByText("€9.00").waitFor();
  expect(ownFaults(studio, visitor)).toEqual([]);
});
