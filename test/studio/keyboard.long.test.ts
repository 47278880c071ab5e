import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { LOGO, photoOf } from "./support/files.ts";
import { orderArea, orderButton, untilGrid } from "./support/order.ts";
import { studio, test } from "./support/shared-studio.ts";
import { flawsOf } from "./support/shown.ts";
import { PASSWORD } from "./support/sign-up.ts";
import { grant, openSignedIn, openVisitor, openWorkspace, PHONE } from "./support/studio.ts";

/** More Tab stops than any page has. */
const STOPS_MAX = 250;

/**
 * The focused Tab stop: its name, and whether a bar hides it. All tiles of the grid share one name, and so do all size
 * checkboxes. Stops in the order bar are named "end".
 */
const STOP = `(() => {
  const stop = document.activeElement;
  if (stop.closest("[data-order-bar]")) return { name: "end", isHidden: false };
  const { top, bottom } = stop.getBoundingClientRect();
  const upper = stop.closest("main") ? document.querySelector("header").getBoundingClientRect().bottom : 0;
  const lower = document.querySelector("[data-order-bar]").getBoundingClientRect().top;
  const part = stop.closest("[data-size-id]") ? "tiles" : stop.type === "checkbox" ? "boxes" : stop.id;
  const name = part || stop.getAttribute("aria-labelledby") || stop.getAttribute("aria-label") || stop.textContent;
  return { name, isHidden: top >= lower || bottom <= upper };
})()`;
const EDITOR_STOPS_MAX = 60;

/** Presses Tab until the element, once present and enabled, has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.and(page.locator(":enabled, a[href]")).waitFor();
  const focused = element.and(page.locator(":focus-visible"));
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${element}`);
}

test("from sign-up to the downloaded ZIP, with files, an edit, a comment and an approval, without a pointer", async () => {
  const { page, faults } = await openVisitor(studio);
  const go = async (element: Locator, key = "Enter") => {
    await tabTo(element.page(), element);
    await element.page().keyboard.press(key);
  };
  const type = async (field: Locator, text: string) => {
    await tabTo(field.page(), field);
    await field.page().keyboard.type(text);
  };
  await page.goto("/");
  await go(page.getByRole("link", { name: "Create an account" }).first());
  await type(page.getByLabel("Your name"), "Barbara");
  await type(page.getByLabel("Email address"), "barbara@accounts.example");
  await type(page.getByLabel("Password"), PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Untitled draft" }).waitFor();
  await grant(studio, new URL(page.url()).pathname.split("/")[2] ?? "", 20);

  await page.reload();
  await go(page.getByRole("link", { name: "Skip to the content" }));
  const choosing = page.waitForEvent("filechooser");
  await go(page.getByRole("button", { name: "Choose files" }));
  // The browser's file chooser cannot be operated by keyboard here.
  await (await choosing).setFiles([await photoOf(1_200, 800), LOGO]);
  await type(page.getByLabel("Headline", { exact: true }), "Two wheels");
  await untilGrid(page, 10);
  await go(page.getByRole("button", { name: "Choose sizes" }));
  await go(page.getByRole("button", { name: "Clear", exact: true }));
  await go(page.getByRole("checkbox", { name: "Meta feed 1080 × 1080" }), "Space");
  await go(page.getByRole("button", { name: "Done" }));
  await go(page.locator('[data-size-id="meta-feed-1080x1080"] button').first());
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Ride on");
  await page.keyboard.press("Escape");
  await page.locator('[data-size-id] canvas[aria-label*="Ride on"]').waitFor();
  await orderArea(page).getByText("19 credits will be left").waitFor();
  await go(orderButton(page));
  await page.waitForURL(/\/packs\/[0-9a-f-]+$/);
  await page.getByRole("heading", { name: "Two wheels" }).waitFor();

  await go(page.getByRole("button", { name: "Share for approval" }));
  await type(page.getByLabel("Name of the link"), "For Grace");
  await page.keyboard.press("Enter");
  const entry = page.getByRole("dialog").getByRole("listitem").filter({ hasText: "For Grace" });
  const link = (await entry.getByRole("link").getAttribute("href")) ?? "";
  const client = await openVisitor(studio);
  await client.page.goto(link);
  await go(client.page.getByRole("button", { name: "Show Meta feed 1080 × 1080 large" }));
  await go(client.page.getByRole("button", { name: "Pin a comment" }));
  await go(client.page.getByRole("button", { name: /^New pin/ }), "ArrowRight");
  await type(client.page.getByLabel("Comment on this spot"), "The light is lovely here.");
  await type(client.page.getByRole("dialog").getByLabel("Your name"), "Grace");
  await go(client.page.getByRole("button", { name: "Comment", exact: true }));
  await client.page.getByRole("listitem").filter({ hasText: "The light is lovely here." }).waitFor();
  await client.page.keyboard.press("Escape");
  await go(client.page.getByRole("button", { name: "Approve", exact: true }));
  await client.page.getByRole("heading", { name: "Approved" }).waitFor();

  await page.keyboard.press("Escape");
  const coming = page.waitForEvent("download");
  await go(page.getByRole("button", { name: "Download all (ZIP)" }));
  expect((await coming).suggestedFilename()).toMatch(/^two-wheels-\d{4}-\d{2}-\d{2}\.zip$/);
  expect([...faults(), ...client.faults()]).toEqual([]);
});

test("the skip link is the first stop of a page", async () => {
  const { page, person } = await openSignedIn(studio, 0);
  await openWorkspace(page, person.workspaceId, "create");
  await page.getByRole("heading", { name: "Untitled draft" }).waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Skip to the content" }).and(page.locator(":focus")).waitFor();
});

test("removing a focused element moves the focus to the part around it", async () => {
  const { page, person } = await openSignedIn(studio, 20);
  await openWorkspace(page, person.workspaceId, "create");
  const press = async (button: Locator) => {
    await button.and(page.locator(":enabled")).focus();
    await page.keyboard.press("Enter");
  };
  const files = page.getByRole("region", { name: "Pictures and logo" });
  await press(page.getByRole("button", { name: "Load a sample set" }));
  await page.getByText("pappus.png", { exact: true }).waitFor();
  await files.and(page.locator(":focus")).waitFor();
  await press(page.getByRole("button", { name: "Remove pappus.png" }));
  await files.and(page.locator(":focus")).waitFor();
  await press(orderButton(page));
  await orderArea(page).and(page.locator(":focus")).waitFor();
});

test("at most 60 stops from the top of a filled editor to its order, none hidden by a bar (WCAG 2.4.11)", async () => {
  const { page, person } = await openSignedIn(studio, 20);
  await openWorkspace(page, person.workspaceId, "create");
  await page.getByRole("button", { name: "Load a sample set" }).click();
  await orderButton(page).and(page.locator(":enabled")).waitFor();
  await page.reload();
  await orderButton(page).and(page.locator(":enabled")).waitFor();
  const names: string[] = [];
  const hidden: string[] = [];
  while (names.length < STOPS_MAX && !names.includes("end")) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate<{ name: string; isHidden: boolean }>(STOP);
    if (!/^(tiles|boxes)$/.test(stop.name) || stop.name !== names.at(-1)) names.push(stop.name);
    if (stop.isHidden) hidden.push(stop.name);
  }
  expect(hidden).toEqual([]);
  expect(names.at(-1)).toBe("end");
  expect(names.length, names.join(", ")).toBeLessThanOrEqual(EDITOR_STOPS_MAX);
});

test("forced colours show which size is chosen", async () => {
  const { page, person } = await openSignedIn(studio, 20);
  await page.emulateMedia({ forcedColors: "active" });
  await openWorkspace(page, person.workspaceId, "create");
  const backgroundOf = (size: string) =>
    page.evaluate(
      `getComputedStyle(document.querySelector('[aria-label="${size}"]').parentElement).backgroundColor`,
    );
  await page.getByRole("button", { name: "Choose sizes" }).click();
  await page.getByRole("checkbox", { name: "Meta feed 1080 × 1080" }).waitFor();
  const chosen = await backgroundOf("Meta feed 1080 × 1080");
  await page.getByRole("checkbox", { name: "Meta feed 1080 × 1080" }).uncheck();
  expect(await backgroundOf("Meta feed 1080 × 1080")).not.toBe(chosen);
});

/** Vertical centre of an element in the window, in CSS px; 0 while it is hidden. */
async function middleOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return box === null ? 0 : box.y + box.height / 2;
}

test("on a phone in German, start page and editor are translated, and undo and redo are on one line", async () => {
  const german = { locale: "de-DE", viewport: PHONE };
  const stranger = await openVisitor(studio, german);
  await stranger.page.goto("/");
  await stranger.page.getByRole("heading", { name: "Ein Foto. Alle Werbeformate." }).waitFor();
  expect(await stranger.page.locator("html").getAttribute("lang")).toBe("de");
  const { page, faults, person } = await openSignedIn(studio, 20, german);
  await openWorkspace(page, person.workspaceId, "create");
  const steps = ["Rückgängig", "Wiederholen", "Weitere Aktionen"].map((name) =>
    page.getByRole("button", { name }),
  );
  // A part of the page that is still loading its texts briefly hides the header.
  await expect
    .poll(async () => Promise.all(steps.map(middleOf)))
    .toSatisfy((middles: readonly number[]) => middles.every((y) => y > 0 && y === middles[0]));
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
