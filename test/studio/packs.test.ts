import { expect } from "vitest";
import { allBarriers } from "../conformance/support/browser.ts";
import { clientOf } from "../conformance/support/flow.ts";
import { beginVersion, orderButton, untilPack } from "./support/order.ts";
import { seedPack, seedShare } from "./support/seed.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

/** Drafts and packs in one list. */

test("typing on after a pause searches for the whole text", async ({ studio }) => {
  const { page, person, faults } = await openSignedIn(studio, 10);
  await seedPack(studio, person);
  await openWorkspace(page, person.workspaceId, "packs");
  const field = page.getByRole("searchbox");
  const searched = page.waitForResponse((answer) => answer.url().includes("search=soft"));
  await field.pressSequentially("soft ");
  await searched;
  await page.getByText("Soft as the first warm day").waitFor();
  const searchedWhole = page.waitForResponse((answer) => /search=soft(\+|%20)as/.test(answer.url()));
  await field.pressSequentially("as");
  await searchedWhole;
  expect(await field.inputValue()).toBe("soft as");
  await field.fill("nothing of this");
  await page.getByRole("button", { name: "Show everything" }).click();
  await page.getByText("Soft as the first warm day").waitFor();
  expect(await field.inputValue()).toBe("");
  expect(faults()).toEqual([]);
});

test("each draft keeps its text under its name and can be copied and deleted, and a missing one is reported", async ({
  studio,
}) => {
  const { page, person, faults } = await openSignedIn(studio, 0);
  const headline = page.getByRole("textbox", { name: "Headline", exact: true });
  const card = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  const act = async (name: string, action: string) => {
    await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  await openWorkspace(page, person.workspaceId, "create");
  await headline.fill("First idea");
  await page.getByRole("link", { name: "New pack" }).click();
  await page.getByRole("heading", { name: "Untitled draft" }).waitFor();
  await headline.fill("Second idea");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Autumn");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Autumn" }).waitFor();

  await page.getByRole("link", { name: "Packs", exact: true }).click();
  await act("Autumn", "Duplicate");
  await card("Copy of Autumn").waitFor();
  await act("First idea", "Delete");
  await page.getByRole("alertdialog").waitFor();
  expect(await allBarriers(page, '[role="alertdialog"]')).toEqual([]);
  await page.getByRole("button", { name: "Delete draft" }).click();
  await card("First idea").waitFor({ state: "detached" });
  await page.getByRole("searchbox").fill("copy");
  await card("Copy of Autumn").getByRole("link").click();
  await page.getByRole("heading", { name: "Copy of Autumn" }).waitFor();
  expect(await headline.inputValue()).toBe("Second idea");
  await page.reload();
  await page.getByRole("heading", { name: "Copy of Autumn" }).waitFor();

  await openWorkspace(page, person.workspaceId, `create?draft=${person.workspaceId}`);
  await page.getByRole("heading", { name: "This draft is not in this browser" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "New pack" }).click();
  await page.getByRole("heading", { name: "Untitled draft" }).waitFor();
  expect(faults()).toEqual([]);
});

test("a new version is ordered from the pack, listed with its state, and shown beside the first one", async ({
  studio,
}) => {
  const { page, person, faults } = await openSignedIn(studio, 20);
  const pack = await seedPack(studio, person);
  const { jobs } = clientOf(studio.service, pack.key);
  await openWorkspace(page, person.workspaceId, `packs/${pack.artifactId}`);
  await page.getByRole("button", { name: "Actions for Soft as the first warm day" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Spring sale");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Spring sale" }).waitFor();
  await beginVersion(page);
  await page.getByRole("heading", { name: "Spring sale" }).waitFor();
  await page.getByRole("textbox", { name: "Headline", exact: true }).fill("Softer still");
  await orderButton(page).click();
  await untilPack(page);
  await page.getByRole("region", { name: "Versions" }).getByText("V2").waitFor();
  const [second, first] = (await jobs.list({ versionOf: pack.jobId }).firstPage()).items;
  expect([first?.jobId, second?.name]).toEqual([pack.jobId, "Spring sale"]);
  await page.getByRole("button", { name: "Compare with V1" }).click();
  await page
    .getByRole("dialog")
    .getByLabel(/^V1: .* 300 × 250$/)
    .waitFor();
  await page
    .getByRole("dialog")
    .getByLabel(/^V2: .* 300 × 250$/)
    .waitFor();
  await page.keyboard.press("Escape");

  await seedShare(studio, pack);
  await page.getByRole("link", { name: "Packs", exact: true }).click();
  await page.getByRole("combobox", { name: "State" }).click();
  await page.getByRole("option", { name: "In review" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Actions for Spring sale" }).count()).toBe(1);
  expect(faults()).toEqual([]);
});

/** Replaces the browser's folder dialog, which no test can operate, with a real folder of the page's origin. */
const PICKER = `window.showDirectoryPicker = async () =>
  (await navigator.storage.getDirectory()).getDirectoryHandle("packs", { create: true })`;

/** The folder's files with their paths and lengths. */
const LISTED = `(async () => {
  const found = {};
  const root = await window.showDirectoryPicker();
  for await (const [folder, inside] of root)
    for await (const [name, file] of inside) found[folder + "/" + name] = (await file.getFile()).size;
  return found;
})()`;

test("a folder gets every network's files by name, and files are replaced only after confirmation", async ({
  studio,
}) => {
  const { page, person, faults } = await openSignedIn(studio, 10);
  const { artifactId } = await seedPack(studio, person);
  await page.addInitScript(PICKER);
  await openWorkspace(page, person.workspaceId, `packs/${artifactId}`);
  const save = async () => {
    await page.getByRole("button", { name: "Download by network" }).click();
    await page.getByRole("menuitem", { name: "Save to a folder…" }).click();
  };
  await save();
  await page.getByText("files are in “packs”").waitFor();
  const saved = await page.evaluate<Record<string, number>>(LISTED);
  const name = "soft-as-the-first-warm-day";
  const banner = saved[`iab/${name}-300x250.png`];
  expect(banner).toBeGreaterThan(1_000);
  expect(saved).toMatchObject({
    ...{ [`amazon/${name}-300x250.png`]: banner, [`gads/${name}-300x250.png`]: banner },
    [`meta-story/${name}-1080x1920.png`]: expect.any(Number),
  });
  await save();
  await page.getByText("files of the same names are there already").waitFor();
  expect(await allBarriers(page, '[role="dialog"]')).toEqual([]);
  await page.getByRole("button", { name: "Replace" }).click();
  await page.getByRole("dialog", { name: "Save to a folder" }).waitFor({ state: "hidden" });
  expect(await page.evaluate(LISTED)).toEqual(saved);
  expect(faults()).toEqual([]);
});
