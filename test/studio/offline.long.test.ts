import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { amountsExceptGrants, ledgerOf } from "./support/credits.ts";
import { LOGO, photoOf } from "./support/files.ts";
import { giveFile, orderButton, untilGrid, untilOrdered } from "./support/order.ts";
import { studio, test } from "./support/shared-studio.ts";
import { flawsOf } from "./support/shown.ts";
import { signUpOnPage } from "./support/sign-up.ts";
import { grant, openVisitor, pageFaults, type Visitor } from "./support/studio.ts";

/** The connection is cut at each step up to an approved pack. The page says so, and nothing is lost or made twice. */

/** Presses a button offline, waits for the notice, and presses it again online. */
async function pressTwice(
  { page, context }: Visitor,
  button: Locator,
  notice = "No connection. Nothing is lost",
) {
  await button.waitFor();
  // The notice must belong to this press, not to an earlier one.
  await expect.poll(() => page.getByText(notice).count()).toBe(0);
  await context.setOffline(true);
  await button.click();
  await page.getByText(notice).first().waitFor();
  await context.setOffline(false);
  await button.click();
}

test("from sign-up to the downloaded ZIP, with the connection cut at each step", async () => {
  const visitor = await openVisitor(studio);
  const { page, context } = visitor;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  const dialog = page.getByRole("dialog");
  await page.goto("/sign-up");
  await page.getByLabel("Your name").waitFor();
  await context.setOffline(true);
  await signUpOnPage(page, "Ada", "offline@accounts.example");
  await page.getByText("No connection. Nothing is lost").waitFor();
  await context.setOffline(false);
  await button("Create account").click();
  await page.waitForURL(/\/create\b/);
  const workspaceId = new URL(page.url()).pathname.split("/")[2] ?? "";
  await grant(studio, workspaceId, 20);

  await link("Brands").click();
  await button("New brand").first().click();
  await dialog.getByLabel("Name").fill("Velo");
  const giveLogo = () =>
    dialog
      .locator("input[type=file]")
      .first()
      .setInputFiles({ ...LOGO });
  await context.setOffline(true);
  await giveLogo();
  await dialog.getByText("No connection. Nothing is lost").waitFor();
  await context.setOffline(false);
  await giveLogo();
  await dialog.locator("img").first().waitFor();
  await pressTwice(visitor, button("Save brand"));
  await expect.poll(() => page.getByRole("main").getByRole("listitem").count()).toBe(1);

  await link("New pack").click();
  await pressTwice(visitor, button("Load a sample set"), "The sample files could not be loaded.");
  await page.getByText("pappus.png", { exact: true }).waitFor();
  await page.getByRole("combobox", { name: "Brand" }).click();
  await page.getByRole("option", { name: "Velo" }).click();
  // The engine is loaded before the connection is cut.
  await untilGrid(page, 10);
  const slow = await context.newCDPSession(page);
  await slow.send("Network.enable");
  await slow.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 40_000,
  });
  await giveFile(page, { ...(await photoOf(3_000, 2_000)), name: "background.jpg" });
  await page
    .getByRole("progressbar", { name: "Upload of background.jpg" })
    .and(page.locator('[aria-valuenow]:not([aria-valuenow="0"]):not([aria-valuenow="100"])'))
    .waitFor();
  await context.setOffline(true);
  await page.getByText("You are offline. Your draft is kept in this browser.").waitFor();
  await page
    .getByText("No connection. The upload continues when you are back online; nothing is lost.")
    .waitFor();
  await page.getByLabel("Headline", { exact: true }).fill("Typed without a connection");
  await page.locator('[data-size-id] canvas[aria-label*="Typed without a connection"]').nth(9).waitFor();
  await slow.detach();
  await context.setOffline(false);
  await orderButton(page).and(page.locator(":enabled")).waitFor();

  await context.setOffline(true);
  await orderButton(page).click();
  await page.getByText("we don’t know whether it arrived").waitFor();
  const ordered = untilOrdered(page);
  await context.setOffline(false);
  expect((await ordered).status()).toBe(202);
  await context.setOffline(true);
  await page.getByText("You are offline.").waitFor();
  await context.setOffline(false);
  await page.waitForURL(/\/packs\/[0-9a-f-]+$/);
  await page
    .getByRole("img", { name: /300 × 250/ })
    .first()
    .waitFor();

  const pack = page.url();
  await context.setOffline(true);
  await link("Usage").click();
  await page.getByRole("heading", { name: "This page could not be shown" }).waitFor();
  expect(await flawsOf(page, "offline")).toEqual([]);
  await link("Brands").click();
  await page.getByRole("heading", { name: "Brands" }).waitFor();
  await link("Usage").click();
  await page.getByRole("heading", { name: "This page could not be shown" }).waitFor();
  await context.setOffline(false);
  await button("Usage as CSV").waitFor();
  expect(await page.getByText("You are offline.").count()).toBe(0);
  await page.goto(pack);
  await page.getByRole("button", { name: /^Actions for / }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await dialog.getByLabel("Name").fill("Velo, spring");
  await pressTwice(visitor, button("Save"));
  await page.getByRole("heading", { name: "Velo, spring" }).waitFor();
  await button("Share for approval").click();
  await dialog.getByLabel("Name of the link").fill("For Grace");
  await pressTwice(visitor, button("Create link"));
  const entry = dialog.getByRole("listitem").filter({ hasText: "For Grace" });
  const address = (await entry.getByRole("link").getAttribute("href")) ?? "";
  await page.keyboard.press("Escape");

  const client = await openVisitor(studio);
  await client.page.goto(address);
  await client.page.getByRole("button", { name: "Show IAB banners 300 × 250 large" }).click();
  await client.page.getByLabel("Comment on this picture").fill("The light is lovely here.");
  const large = client.page.getByRole("dialog");
  await large.getByLabel("Your name").fill("Grace");
  await pressTwice(client, large.getByRole("button", { name: "Comment", exact: true }));
  await large.getByRole("listitem").filter({ hasText: "The light is lovely here." }).waitFor();
  await client.page.keyboard.press("Escape");
  await pressTwice(client, client.page.getByRole("button", { name: "Approve all 10" }));
  await client.page.getByRole("heading", { name: "Approved" }).waitFor();
  await client.page.reload();
  await client.page.getByText("1 comment").waitFor();

  const coming = page.waitForEvent("download");
  await pressTwice(visitor, button("Download all (ZIP)"));
  expect((await coming).suggestedFilename()).toMatch(/^velo-velo-spring-\d{4}-\d{2}-\d{2}\.zip$/);
  expect(amountsExceptGrants(await ledgerOf(studio, visitor, workspaceId))).toEqual([-10]);
  const faults = [...pageFaults(visitor), ...pageFaults(client)];
  // The browser reconnects the page before its service worker. A script that the worker cannot fetch yet makes the
  // router reload the document.
  const isExpected = (fault: string) =>
    fault.includes("The page's script could not be loaded.") ||
    /imported module: .*\/usage-page-/.test(fault);
  expect(faults.filter((fault) => !isExpected(fault))).toEqual([]);
});
