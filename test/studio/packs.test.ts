import { expect } from "vitest";
import { allBarriers } from "../conformance/support/browser.ts";
import { seedPack } from "./support/seed.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

/** Packs are found by their words as people type them, and saved as people need them. */

test("a search that rests after a word goes on with the next one", async ({ studio }) => {
  const { page, person, faults } = await openSignedIn(studio, 10);
  await seedPack(studio, person);
  await openWorkspace(page, person.workspaceId, "packs");
  const field = page.getByRole("searchbox");
  const searched = page.waitForResponse((answer) => answer.url().includes("search=soft"));
  await field.pressSequentially("soft ");
  await searched;
  await page.getByText("Soft as the first warm day").waitFor();
  await field.pressSequentially("as");
  expect(await field.inputValue()).toBe("soft as");
  await field.fill("nothing of this");
  await page.getByRole("button", { name: "Show all packs" }).click();
  await page.getByText("Soft as the first warm day").waitFor();
  expect(await field.inputValue()).toBe("");
  expect(faults()).toEqual([]);
});

/** Stands in for the browser's own window, which no test can press: a real folder of the page's origin. */
const PICKER = `window.showDirectoryPicker = async () =>
  (await navigator.storage.getDirectory()).getDirectoryHandle("packs", { create: true })`;

/** The files of that folder, in their folders, with their lengths. */
const LISTED = `(async () => {
  const found = {};
  const root = await window.showDirectoryPicker();
  for await (const [folder, inside] of root)
    for await (const [name, file] of inside) found[folder + "/" + name] = (await file.getFile()).size;
  return found;
})()`;

test("a folder gets every network's files by name, and keeps what is there until asked", async ({
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
