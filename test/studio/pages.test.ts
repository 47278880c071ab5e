import { expect } from "vitest";
import { openPage, PAGES, type Pages, seedPages } from "./support/pages.ts";
import { test } from "./support/shared-studio.ts";
import { flawsOf } from "./support/shown.ts";
import { PHONE } from "./support/studio.ts";

/** On a phone and in both themes, every page passes axe, obeys its policy and loads only from its own origin. */

let pages: Pages;
test.beforeAll(async ({ studio }) => {
  pages = await seedPages(studio);
  for (const { page } of [pages.known, pages.stranger]) await page.setViewportSize(PHONE);
});

test.each(PAGES.map((one) => [one[0], one] as const))("%s", async (name, one) => {
  const { page, faults } = await openPage(pages, one);
  expect([...(await flawsOf(page, name)), ...faults()]).toEqual([]);
});
