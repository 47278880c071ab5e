import { expect } from "vitest";
import { seedPack } from "./support/seed.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

/** Packs are found by their words as people type them: with rests, and with the space between two words. */

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
