import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, PAGES, type Pages, seedPages } from "./support/pages.ts";
import { flawsOf } from "./support/shown.ts";
import { openStudio, PHONE, type Studio } from "./support/studio.ts";

/** On a phone, in both themes, everybody can use every page; each keeps to its policy and to this origin. */

let studio: Studio;
let pages: Pages;
beforeAll(async () => {
  studio = await openStudio();
  pages = await seedPages(studio);
  for (const { page } of [pages.known, pages.stranger]) await page.setViewportSize(PHONE);
});
afterAll(() => studio.close());

test.each(PAGES.map((one) => [one[0], one] as const))("%s", async (name, one) => {
  const { page, faults } = await openPage(pages, one);
  expect([...(await flawsOf(page, name)), ...faults()]).toEqual([]);
});
