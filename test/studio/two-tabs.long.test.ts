import { expect } from "vitest";
import { amountsExceptGrants, ledgerOf } from "./support/credits.ts";
import { gate } from "./support/gate.ts";
import { isOrder, loadSample, orderButton, untilOrdered, untilPack } from "./support/order.ts";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openTab, openWorkspace, pageFaults } from "./support/studio.ts";

test("only one of two tabs edits a draft, and both send the same order on request", async () => {
  const visitor = await openSignedIn(studio, 30);
  const { page, person } = visitor;
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  const { page: other } = await openTab(studio, visitor);
  await openWorkspace(other, person.workspaceId, "create");
  await other.getByRole("heading", { name: "This draft is open in another tab" }).waitFor();

  // The first tab's order is in progress when the second takes over the draft.
  const taken = gate();
  await page.route("**/api/v1/jobs", async (route) => {
    await taken.opened;
    await route.continue();
  });
  const underWay = page.waitForRequest(isOrder);
  await orderButton(page).click();
  await underWay;
  const ordered = untilOrdered(other);
  await other.getByRole("button", { name: "Continue here" }).click();
  await page.getByRole("heading", { name: "This draft is open in another tab" }).waitFor();
  await other.getByRole("button", { name: "Send again" }).click();
  expect((await ordered).status()).toBe(202);
  taken.open();
  await untilPack(other);
  expect(amountsExceptGrants(await ledgerOf(studio, visitor, person.workspaceId))).toEqual([-10]);
  expect(pageFaults(visitor)).toEqual([]);
});

test("drafts in two tabs keep their texts, also when the other tab renames or deletes them", async () => {
  const visitor = await openSignedIn(studio, 0);
  const { page, person } = visitor;
  const { page: other } = await openTab(studio, visitor);
  const headline = { name: "Headline", exact: true };
  await openWorkspace(page, person.workspaceId, "create?draft=new");
  await page.getByRole("textbox", headline).fill("First");
  await openWorkspace(other, person.workspaceId, "create?draft=new");
  await other.getByRole("textbox", headline).fill("Second");
  await page.getByRole("textbox", headline).fill("First idea");
  await other.getByRole("link", { name: "Packs", exact: true }).click();
  const cards = other.getByRole("main").getByRole("listitem");
  await expect.poll(() => cards.count()).toBe(2);
  const act = async (name: string, action: string) => {
    await other.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
    await other.getByRole("menuitem", { name: action }).click();
  };

  await act("First idea", "Rename");
  await other.getByRole("textbox", { name: "Name" }).fill("Autumn");
  await other.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Autumn" }).waitFor();
  await page.getByRole("textbox", headline).fill("First of all");
  await page.reload();
  await page.getByRole("heading", { name: "Autumn" }).waitFor();
  expect(await page.getByRole("textbox", headline).inputValue()).toBe("First of all");

  await act("Autumn", "Delete");
  await page.getByRole("textbox", headline).pressSequentially(" and more");
  await other.getByRole("button", { name: "Delete draft" }).click();
  await page.getByRole("heading", { name: "This draft is not in this browser" }).waitFor();
  await page.getByRole("link", { name: "Packs", exact: true }).click();
  await page.getByRole("link", { name: "Second" }).waitFor();
  expect(await page.getByText("Autumn").count()).toBe(0);
  expect(pageFaults(visitor)).toEqual([]);
});

test("after one tab deletes all drafts, a draft open in another tab shows that it is not stored", async () => {
  const visitor = await openSignedIn(studio, 0);
  const { page, person } = visitor;
  const { page: other } = await openTab(studio, visitor);
  const headline = page.getByLabel("Headline", { exact: true });
  await openWorkspace(page, person.workspaceId, "create?draft=new");
  await headline.fill("First");
  await openWorkspace(other, person.workspaceId, "packs");
  await other.getByRole("button", { name: "Account", exact: true }).click();
  await other.getByRole("menuitem", { name: "Sign out and remove my data from this device" }).click();
  await other.waitForURL((address) => address.pathname === "/" || address.pathname === "/sign-in");
  await headline.fill("First idea");
  await page.getByText("This browser cannot keep drafts here").waitFor();
});
