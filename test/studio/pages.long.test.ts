import { expect } from "vitest";
import { loadSample, untilGrid } from "./support/order.ts";
import { openPage, PAGES, type Pages, seedPages } from "./support/pages.ts";
import { test } from "./support/shared-studio.ts";
import { flawsOf } from "./support/shown.ts";
import { DESKTOP, PHONE } from "./support/studio.ts";

/** Wide windows, German, and open dialogs pass the checks of pages.test.ts. */

let pages: Pages;
test.beforeAll(async ({ studio }) => {
  pages = await seedPages(studio);
});

test.each(PAGES.map((one) => [one[0], one] as const))("%s in a wide window", async (name, one) => {
  const { page, faults } = await openPage(pages, one);
  expect([...(await flawsOf(page, name)), ...faults()]).toEqual([]);
});

test("the editor with a draft, its grid and its dialogs", async () => {
  const { page, faults } = pages.known;
  const flaws: string[] = [];
  const look = async (where: string) => flaws.push(...(await flawsOf(page, where)));
  await page.goto(pages.addresses.create ?? "");
  await loadSample(page);
  await untilGrid(page, 10);
  await page.locator("#style").scrollIntoViewIfNeeded();
  await page.locator("#style [data-skeleton]").last().waitFor({ state: "detached" });
  await look("draft");
  await page.getByRole("button", { name: "Set the crop of dandelion.webp" }).click();
  await page.getByRole("dialog").waitFor();
  await look("focal point");
  await page.getByRole("radio", { name: "An area" }).check({ force: true });
  await look("area to keep");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "From earlier packs" }).click();
  await page.getByRole("dialog").getByText("meadow.jpg").first().waitFor();
  await look("from earlier packs");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Edit Meta feed 1080 × 1080" }).click();
  await look("one size, edited");
  await page.getByRole("button", { name: "Show Meta feed 1080 × 1080 large" }).click();
  await page.getByRole("dialog").getByText("Network rules").waitFor();
  await look("one size, large");
  await page.keyboard.press("Escape");
  await page.setViewportSize(PHONE);
  await look("draft on a phone");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await untilGrid(page, 10);
  await look("grid on a phone");
  await page.setViewportSize(DESKTOP);
  expect([...flaws, ...faults()]).toEqual([]);
});

test("dialogs of the other pages", async () => {
  const { page, faults } = pages.known;
  const flaws: string[] = [];
  for (const [name, button, item] of [
    ["pack", /^Actions for /, "Rename"],
    ["pack", /^Actions for /, "Send to a destination"],
    ["pack", "Share for approval", null],
    ["keys", "New key", null],
    ["people", "Invite someone", null],
    ["destinations", "New webhook", null],
    ["destinations", "New storage", null],
  ] as const) {
    await page.goto(pages.addresses[name] ?? "");
    await page.getByRole("main").getByRole("button", { name: button }).click();
    if (item !== null) await page.getByRole("menuitem", { name: item }).click();
    await page.getByRole("dialog").waitFor();
    flaws.push(...(await flawsOf(page, `${button}`)));
  }
  expect([...flaws, ...faults()]).toEqual([]);
});
