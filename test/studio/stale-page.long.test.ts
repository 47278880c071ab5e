import type { Page } from "playwright-core";
import { expect } from "vitest";
import { endSessionElsewhere, fillSignIn, openAccount, signInOverPage } from "./support/accounts.ts";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

test("an irreversible action after the end of the session runs after a sign-in over the page", async () => {
  const account = await openAccount(studio, 0);
  const { page, workspaceId } = account;
  await openWorkspace(page, workspaceId, "people");
  await page.getByRole("button", { name: "Invite someone" }).click();
  await page.getByRole("dialog").getByText("/invitation#").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Withdraw" }).waitFor();
  await endSessionElsewhere(studio, account);
  await page.getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).click();
  await signInOverPage(account);
  await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("button", { name: "Withdraw" }).waitFor({ state: "detached" });
});

test("opening another page after the session has ended elsewhere leads to sign-in, and from there to that page", async () => {
  const account = await openAccount(studio, 0);
  const { page, workspaceId } = account;
  await openWorkspace(page, workspaceId, "keys");
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  await endSessionElsewhere(studio, account);
  // Two minutes later, the page fetches the list of workspaces again.
  await page.clock.setFixedTime(Date.now() + 120_000);
  await page.getByRole("link", { name: "Packs", exact: true }).click();
  await page.waitForURL(/\/sign-in\?/);
  await fillSignIn(page, account);
  await page.waitForURL(`**/w/${workspaceId}/packs`);
  await page.getByText("No packs yet").waitFor();
});

test("a page whose script a deployment removed reloads and opens", async () => {
  const { page, person } = await openSignedIn(studio, 0);
  await openWorkspace(page, person.workspaceId, "keys");
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  await removeUntilReload(page, /\/studio\/usage-page-[^/]+\.js$/);
  await page.evaluate("window.isFirst = true");
  await page.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("button", { name: "Usage as CSV" }).waitFor();
  expect(await page.evaluate("window.isFirst")).toBeUndefined();
});

test("a page whose texts a deployment removed reloads and shows them", async () => {
  const { page, person } = await openSignedIn(studio, 0);
  await openWorkspace(page, person.workspaceId, "keys");
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  await removeUntilReload(page, /\/studio\/keys-[^/]+\.js$/);
  await page.evaluate("window.isFirst = true");
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  await page.getByRole("heading", { name: "API-Schlüssel" }).waitFor();
  expect(await page.evaluate("window.isFirst")).toBeUndefined();
});

/** Files that the open page can no longer fetch; a reloaded page can. */
async function removeUntilReload(page: Page, address: RegExp): Promise<void> {
  let isLoadedAnew = false;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) isLoadedAnew = true;
  });
  await page.route(address, (route) =>
    isLoadedAnew
      ? route.continue()
      : route.fulfill({ status: 404, contentType: "application/json", body: "{}" }),
  );
}
