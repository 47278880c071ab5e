import { expect } from "vitest";
import { endSessionElsewhere, openAccount, signInOverPage } from "./support/accounts.ts";
import { amountsExceptGrants, ledgerOf } from "./support/credits.ts";
import { loadSample, orderArea, orderButton, untilPack } from "./support/order.ts";
import { seedPack } from "./support/seed.ts";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace, pageFaults } from "./support/studio.ts";

/** When an order is interrupted, the draft is kept, the page shows what to do, and the order is paid once. */

const HEADLINE = "Soft as the first warm day";

test("after a session ended before an order, a sign-in over the page orders the same draft and charges once", async () => {
  const account = await openAccount(studio, 20);
  const { page, workspaceId } = account;
  // The page's last automatic request: whether a pack of this draft exists.
  const lookedUp = page.waitForResponse((answer) => answer.url().includes("renderFingerprint="));
  await openWorkspace(page, workspaceId, "create");
  await loadSample(page);
  await orderButton(page).and(page.locator(":enabled")).waitFor();
  await lookedUp;
  await endSessionElsewhere(studio, account);
  await orderButton(page).click();
  await signInOverPage(account);
  await page
    .getByText("Your session ended before the order arrived: nothing was ordered or charged.")
    .waitFor();
  expect(await page.getByLabel("Headline", { exact: true }).inputValue()).toBe(HEADLINE);
  await orderButton(page).click();
  await untilPack(page);
  expect(amountsExceptGrants(await ledgerOf(studio, account, workspaceId))).toEqual([-10]);
  expect(pageFaults(account)).toEqual([]);
});

test("an order whose response was lost before the session ended is resent after the sign-in, and charges once", async () => {
  const account = await openAccount(studio, 20);
  const { page, workspaceId } = account;
  await openWorkspace(page, workspaceId, "create");
  await loadSample(page);
  await orderButton(page).and(page.locator(":enabled")).waitFor();
  await page.route(
    (url) => url.pathname === "/api/v1/jobs",
    async (route) => {
      await route.fetch();
      await endSessionElsewhere(studio, account);
      await route.abort();
    },
    { times: 1 },
  );
  await orderButton(page).click();
  await signInOverPage(account);
  await untilPack(page);
  expect(amountsExceptGrants(await ledgerOf(studio, account, workspaceId))).toEqual([-10]);
  expect(pageFaults(account)).toEqual([]);
});

test("if the credits were spent elsewhere, nothing is ordered, and the page shows what to do", async () => {
  const visitor = await openSignedIn(studio, 12);
  const { page, person } = visitor;
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await orderArea(page).getByText("2 credits will be left").waitFor();
  await orderButton(page).and(page.locator(":enabled")).waitFor();
  await seedPack(studio, person);
  await orderButton(page).click();
  await orderArea(page)
    .getByRole("alert")
    .filter({ hasText: "9 credits are left, 10 are needed. Choose fewer sizes" })
    .waitFor();
  await orderArea(page).getByText("Nothing was ordered or charged.").waitFor();
  await orderArea(page).getByRole("button", { name: "Dismiss" }).click();
  await page.getByRole("button", { name: "Choose sizes" }).click();
  await page.getByRole("checkbox", { name: /LinkedIn.* 1200 × 628/ }).uncheck();
  await page.getByRole("button", { name: "Done" }).click();
  await orderButton(page).click();
  await untilPack(page);
  expect(amountsExceptGrants(await ledgerOf(studio, visitor, person.workspaceId))).toEqual([-9, -3]);
  expect(pageFaults(visitor)).toEqual([]);
});

test("without any credit, the order area does not propose fewer sizes", async () => {
  const visitor = await openSignedIn(studio, 0);
  const { page, person } = visitor;
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  const shortage = orderArea(page).getByText("0 credits are left, 10 are needed.");
  await shortage.waitFor();
  expect(await shortage.textContent()).not.toContain("fewer sizes");
  expect(pageFaults(visitor)).toEqual([]);
});
