import { expect } from "vitest";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

test("a key with a budget can be created and edited, and shows what it has spent", async () => {
  const { page, person, faults } = await openSignedIn(studio, 0);
  await openWorkspace(page, person.workspaceId, "keys");
  await page.getByRole("button", { name: "New key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shop server");
  await dialog.getByRole("checkbox", { name: "order packs (spends credits)" }).waitFor();
  await dialog.getByLabel("Per day").fill("50");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByText("It is shown only once.").waitFor();
  await page.keyboard.press("Escape");

  const row = page.getByRole("row", { name: /Shop server/ });
  await row.getByText("order packs (spends credits)").waitFor();
  const meter = row.getByRole("meter", { name: "Spent of today’s budget" });
  expect(await meter.getAttribute("aria-valuetext")).toBe("0 of 50 today");
  await row.getByRole("button", { name: "Edit Shop server" }).click();
  const edit = page.getByRole("dialog", { name: "Edit “Shop server”" });
  await edit.getByLabel("Per day").fill("");
  await edit.getByLabel("Per month").fill("1200");
  await edit.getByRole("button", { name: "Save" }).click();
  await edit.waitFor({ state: "detached" });
  await row.getByText("0 of 1,200 this month").waitFor();
  expect(await meter.count()).toBe(0);
  expect(faults()).toEqual([]);
});

test("a key stays visible for copying by hand if the browser blocks copying", async () => {
  const { page, person, faults } = await openSignedIn(studio, 0);
  await page.addInitScript(
    'Clipboard.prototype.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"))',
  );
  await openWorkspace(page, person.workspaceId, "keys");
  await page.getByRole("button", { name: "New key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shop server");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("button", { name: "Copy" }).click();
  await page.getByText("The browser blocked copying. Select the text and copy it yourself.").waitFor();
  expect(faults()).toEqual([]);
});

test("a key that may create keys has no budget, and the page says why", async () => {
  const { page, person } = await openSignedIn(studio, 0);
  await openWorkspace(page, person.workspaceId, "keys");
  await page.getByRole("button", { name: "New key" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Per day").waitFor();
  await dialog.getByRole("checkbox", { name: "create and revoke keys" }).click();
  await dialog.getByText("A key that can create keys cannot have a budget").waitFor();
  expect(await dialog.getByLabel("Per day").count()).toBe(0);
});
