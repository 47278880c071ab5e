import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { orderArea, orderButton, untilWall } from "./support/order.ts";
import { test } from "./support/shared-studio.ts";
import { flawsOf } from "./support/shown.ts";
import { PASSWORD } from "./support/sign-up.ts";
import { openSignedIn, openVisitor, openWorkspace, PHONE, type Studio } from "./support/studio.ts";

/** The way to a pack can be gone by keyboard alone, and in German. */

let studio: Studio;
test.beforeAll(({ studio: shared }) => {
  studio = shared;
});

/** More stops than any page has. */
const STOPS_MAX = 250;

/** Presses Tab until the element is where typing goes, once it is there and can be used. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.and(page.locator(":enabled, a[href]")).waitFor();
  const focused = element.and(page.locator(":focus-visible"));
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${element}`);
}

test("from the first page to the ZIP without a pointer", async () => {
  const visitor = await openSignedIn(studio, 20);
  const { page, faults } = visitor;
  const go = async (element: Locator, key = "Enter") => {
    await tabTo(page, element);
    await page.keyboard.press(key);
  };
  await page.goto("/");
  await page.getByRole("heading", { name: "New pack" }).waitFor();
  await go(page.getByRole("link", { name: "Skip to the content" }));
  await go(page.getByRole("button", { name: "Load a sample set" }));
  await tabTo(page, page.getByLabel("Headline", { exact: true }));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Two wheels");
  await untilWall(page, 10);
  await go(page.getByRole("button", { name: "None", exact: true }));
  await go(page.getByRole("checkbox", { name: "Meta feed 1080 × 1080" }), "Space");
  await orderArea(page).getByText("19 credits will be left").waitFor();
  await go(orderButton(page));
  await page.waitForURL(/\/packs\/[0-9a-f-]+$/);
  await page.getByRole("heading", { name: "Two wheels" }).waitFor();
  const coming = page.waitForEvent("download");
  await go(page.getByRole("button", { name: "Download all (ZIP)" }));
  expect((await coming).suggestedFilename()).toMatch(/\.zip$/);
  expect(faults()).toEqual([]);
});

test("signing up without a pointer", async () => {
  const { page, faults } = await openVisitor(studio);
  await page.goto("/");
  await tabTo(page, page.getByRole("link", { name: "Create an account" }).first());
  await page.keyboard.press("Enter");
  for (const [label, text] of [
    ["Your name", "Barbara"],
    ["E-mail address", "barbara@accounts.example"],
    ["Password", PASSWORD],
  ] as const) {
    await tabTo(page, page.getByLabel(label));
    await page.keyboard.type(text);
  }
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "New pack" }).waitFor();
  expect(faults()).toEqual([]);
});

test("in German on a phone: the first page and the editor", async () => {
  const german = { locale: "de-DE", viewport: PHONE };
  const stranger = await openVisitor(studio, german);
  await stranger.page.goto("/");
  await stranger.page.getByRole("heading", { name: "Ein Foto. Alle Werbeformate." }).waitFor();
  expect(await stranger.page.locator("html").getAttribute("lang")).toBe("de");
  const { page, faults, person } = await openSignedIn(studio, 20, german);
  await openWorkspace(page, person.workspaceId, "create");
  await page.getByRole("button", { name: "Beispiel laden" }).click();
  await page.getByText("10 Credits bleiben übrig").waitFor();
  await page
    .getByRole("button", { name: "Für 10 Credits bestellen" })
    .and(page.locator(":enabled"))
    .waitFor();
  const flaws = [
    ...(await flawsOf(stranger.page, "first page")),
    ...(await flawsOf(page, "editor")),
    ...stranger.faults(),
    ...faults(),
  ];
  expect(flaws).toEqual([]);
});
