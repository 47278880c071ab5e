import { expect } from "vitest";
import { endSessionElsewhere, openAccount, signInOverPage } from "./support/accounts.ts";
import { amountsExceptGrants, ledgerOf } from "./support/credits.ts";
import { gate } from "./support/gate.ts";
import { isOrder, loadSample, orderButton, untilOrdered, untilPack } from "./support/order.ts";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

test("after a session ended during drawing, a sign-in over the page opens the pack", async () => {
  const account = await openAccount(studio, 20);
  const { page, workspaceId } = account;
  await openWorkspace(page, workspaceId, "create");
  await loadSample(page);
  // The first poll of the job waits until the session has ended.
  const ended = gate();
  await page.route(/\/api\/v1\/jobs\/[0-9a-f-]+$/, async (route) => {
    await ended.opened;
    await route.continue();
  });
  const ordered = untilOrdered(page);
  await orderButton(page).click();
  await ordered;
  await endSessionElsewhere(studio, account);
  ended.open();
  await signInOverPage(account);
  await page
    .getByRole("button", { name: "Open it" })
    .or(page.getByRole("button", { name: "Download all (ZIP)" }))
    .waitFor();
  expect(amountsExceptGrants(await ledgerOf(studio, account, workspaceId))).toEqual([-10]);
});

test("an order whose response is lost is retried, and is created and charged once", async () => {
  const visitor = await openSignedIn(studio, 30);
  const { page, person } = visitor;
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  let lost = 0;
  await page.route("**/api/v1/jobs", async (route) => {
    if (route.request().method() !== "POST" || lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort("connectionreset");
  });
  await orderButton(page).click();
  await untilPack(page);
  expect(lost).toBe(1);
  expect(amountsExceptGrants(await ledgerOf(studio, visitor, person.workspaceId))).toEqual([-10]);
});

test("an order whose response was lost in an earlier visit is resent only on request, and charged once", async () => {
  const visitor = await openSignedIn(studio, 30);
  const { page, person } = visitor;
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  let sent = 0;
  await page.route("**/api/v1/jobs", async (route) => {
    if (!isOrder(route.request())) return route.continue();
    sent += 1;
    if (sent > 1) return route.continue();
    await route.fetch();
    await page.reload();
  });
  await orderButton(page).click();
  await page.getByText("we don’t know whether it arrived").waitFor();
  expect(sent).toBe(1);
  await page.getByRole("button", { name: "Send again" }).click();
  await page
    .getByRole("button", { name: "Open it" })
    .or(page.getByRole("button", { name: "Download all (ZIP)" }))
    .waitFor();
  expect(amountsExceptGrants(await ledgerOf(studio, visitor, person.workspaceId))).toEqual([-10]);
});

test("discarding an earlier visit's order frees the draft", async () => {
  const { page, person } = await openSignedIn(studio, 30);
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await page.route("**/api/v1/jobs", (route) =>
    isOrder(route.request()) ? page.reload() : route.continue(),
  );
  await orderButton(page).click();
  await page.getByRole("button", { name: "Discard the order" }).click();
  await orderButton(page).and(page.locator(":enabled")).waitFor();
});

test("a new workspace is created once, although the first response is lost and the request repeated", async () => {
  const { page, context, person } = await openSignedIn(studio, 0);
  await openWorkspace(page, person.workspaceId, "settings");
  let lost = 0;
  await page.route("**/api/account/workspaces", async (route) => {
    if (route.request().method() !== "POST" || lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.getByLabel("Name of a new workspace").fill("Spring");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.getByText("No connection. Nothing is lost").waitFor();
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.waitForURL(/\/create\b/);
  const { data } = await (await context.request.get("/api/account/workspaces")).json();
  expect(data.items.filter(({ name }: { readonly name: string }) => name === "Spring")).toHaveLength(1);
});
