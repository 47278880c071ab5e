import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect } from "vitest";
import { emptyDraft } from "../../studio/src/editor/draft/draft.ts";
import { allBarriers } from "../conformance/support/browser.ts";
import { catalogueSize } from "../support/renderer.ts";
import { loadSample, saveZip, untilGrid, untilPack } from "./support/order.ts";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace, PHONE, type SignedIn } from "./support/studio.ts";

const tileOf = (page: Page, name: string) =>
  page.getByRole("button", { name: new RegExp(`^Edit ${name}(, has its own values)?$`) });

/** A grid with the sample set, fully drawn. */
async function openGrid(options = {}): Promise<SignedIn> {
  const visitor = await openSignedIn(studio, 0, options);
  const { page, person } = visitor;
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  return visitor;
}

const GRID = 'section[aria-label="Preview"]';

/** The picture of a tile, whose label lists its content. */
const altOf = (page: Page, name: string) => tileOf(page, name).getByRole("img");

const drawn = (page: Page, name: string, words: string) =>
  tileOf(page, name).locator(`canvas[aria-label*="${words}"]`).waitFor({ state: "attached" });

test("shows all chosen sizes at one scale, and follows the text", async () => {
  const { page, faults } = await openGrid();
  await page.getByLabel("Headline", { exact: true }).fill("Soft as a cloud");
  for (const name of ["IAB banners 300 × 250", "Meta feed 1080 × 1080", "Google Demand Gen 1200 × 628"]) {
    await drawn(page, name, "Soft as a cloud");
  }
  const edgesOf = async (name: string) => (await altOf(page, name).boundingBox()) ?? { width: 0, height: 0 };
  const [square, banner] = [await edgesOf("Meta feed 1080 × 1080"), await edgesOf("IAB banners 728 × 90")];
  expect([square.height / square.width, banner.width / square.width, banner.height / square.width]).toEqual([
    1,
    expect.closeTo(728 / 1080, 1),
    expect.closeTo(90 / 1080, 1),
  ]);
  expect(await altOf(page, "IAB banners 300 × 250").getAttribute("aria-label")).toMatch(/logo/);
  // Drawing a tile must not move others.
  const before = await tileOf(page, "IAB banners 300 × 250").boundingBox();
  await page.getByLabel("Headline", { exact: true }).fill("Other words");
  await drawn(page, "IAB banners 300 × 250", "Other words");
  expect(await tileOf(page, "IAB banners 300 × 250").boundingBox()).toEqual(before);
  expect(await allBarriers(page, GRID)).toEqual([]);
  expect(faults()).toEqual([]);
});

test("shows one size large, with its mockup, rules and omissions", async () => {
  const { page, faults } = await openGrid();
  await drawn(page, "Meta stories 1080 × 1920", "headline");
  await tileOf(page, "Meta stories 1080 × 1920").focus();
  await page.keyboard.press("Space");
  const dialog = page.getByRole("dialog", { name: "Meta stories 1080 × 1920" });
  await dialog.getByText("Network rules").waitFor();
  await dialog.getByText(/^Safe area/).waitFor();
  await dialog.getByText("Show on a phone").click();
  await dialog.getByText("Show the safe area").click();
  await dialog.getByText(/^JPG, \d+ kB$/).waitFor();
  await dialog.getByRole("button", { name: /^Play/ }).click();
  await dialog.getByRole("button", { name: /^Pause/ }).click();
  expect(await allBarriers(page, '[role="dialog"]')).toEqual([]);
  await page.getByRole("dialog").press("ArrowRight");
  await page.getByRole("dialog", { name: "Meta feed 1080 × 1350" }).getByText("2 of 10").waitFor();
  await page.keyboard.press("Escape");
  await tileOf(page, "Meta feed 1080 × 1350").and(page.locator(":focus")).waitFor();
  expect(faults()).toEqual([]);
});

test("edits one size beside its tile, marks it, and undoes it", async () => {
  const { page, faults } = await openGrid();
  const name = "IAB banners 300 × 250";
  const panel = page.getByRole("dialog", { name });
  const headline = panel.getByLabel("Headline", { exact: true });
  await tileOf(page, name).click();
  await headline.and(page.locator(":focus")).fill("Only here");
  // The tile is centred although it is at an edge of the grid. A scrollbar may move it slightly.
  const offCentre = async (): Promise<number> => {
    const boxes = await Promise.all(
      [tileOf(page, name), page.locator("div:has(> [data-grid])")].map((one) => one.boundingBox()),
    );
    const [tile = [], grid = []] = boxes.map((box) => {
      const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
      return [x + width / 2, y + height / 2];
    });
    return Math.max(...tile.map((middle, at) => Math.abs(middle - (grid[at] ?? 0))));
  };
  await expect.poll(offCentre).toBeLessThan(10);
  await drawn(page, name, "Only here");
  expect(await altOf(page, "Meta feed 1080 × 1080").getAttribute("aria-label")).not.toContain("Only here");
  await page.getByRole("button", { name: `Edit ${name}, has its own values` }).waitFor();
  expect(await allBarriers(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press("ControlOrMeta+z");
  await page.getByRole("button", { name: `Edit ${name}`, exact: true }).waitFor();
  await headline.fill("Only here");
  await panel.getByRole("button", { name: "Use shared text: Headline" }).click();
  await page.getByRole("button", { name: `Edit ${name}`, exact: true }).waitFor();
  await panel.getByLabel("Layout").click();
  await page.getByRole("option", { name: "Framed" }).click();
  await page.getByRole("button", { name: `Edit ${name}, has its own values` }).waitFor();
  // Another tile takes over the panel, and Escape returns to that tile.
  await tileOf(page, "IAB banners 160 × 600").click();
  await page.getByRole("dialog", { name: "IAB banners 160 × 600" }).waitFor();
  await page.keyboard.press("Escape");
  await tileOf(page, "IAB banners 160 × 600").and(page.locator(":focus")).waitFor();
  await tileOf(page, name).dblclick();
  await page.getByText("Network rules").waitFor();
  await page.keyboard.press("Escape");
  // A double click also works while another size is edited and the grid scrolls.
  await tileOf(page, name).click();
  await page.getByRole("button", { name: "fit all sizes", pressed: false }).waitFor();
  await tileOf(page, "Google Demand Gen 1200 × 628").dblclick();
  await page
    .getByRole("dialog", { name: "Google Demand Gen 1200 × 628" })
    .getByText("Network rules")
    .waitFor();
  expect(faults()).toEqual([]);
});

test("is one Tab stop, zooms, and has single-key shortcuts that can be switched off", async () => {
  const { page, faults } = await openGrid();
  expect(await page.locator('[data-grid] [tabindex="0"]').count()).toBe(1);
  await page.locator("body").press("g");
  const focused = page.locator("[data-size-id]:focus-within");
  expect(await focused.getAttribute("data-size-id")).toBe("meta-story-1080x1920");
  await page.keyboard.press("End");
  expect(await focused.getAttribute("data-size-id")).not.toBe("meta-story-1080x1920");
  await page.keyboard.press("Home");
  const fitted = await focused.boundingBox();
  for (const key of ["+", "+"]) await page.keyboard.press(key);
  expect((await focused.boundingBox())?.width).toBeGreaterThan(fitted?.width ?? 0);
  await page.keyboard.press("0");
  expect(await focused.boundingBox()).toEqual(fitted);
  await page.keyboard.press("o");
  await page.locator("[data-order-bar]:focus-within, [data-order-bar]:focus").waitFor();
  const headline = page.getByLabel("Headline", { exact: true });
  await headline.fill("");
  await headline.pressSequentially("go?");
  expect(await headline.inputValue()).toBe("go?");
  await headline.blur();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys.getByRole("checkbox").click();
  expect(await allBarriers(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  expect(await focused.count()).toBe(0);
  expect(faults()).toEqual([]);
});

test("plays and scrubs a size in its tile by keyboard, without requests", async () => {
  const { page, faults } = await openGrid();
  await page.getByLabel("Motion").click();
  await page.getByRole("option", { name: /^Animated/ }).click();
  const name = "IAB banners 300 × 250";
  await drawn(page, name, "headline");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const moment = page.getByRole("slider", { name: `Playback position of ${name}` });
  const pixels = (): Promise<string> =>
    page.evaluate("document.querySelector('[data-size-id=iab-300x250] canvas').toDataURL()");
  await tileOf(page, name).click();
  // The grid zooms to the size, up to the resolution of a preview without credits.
  await expect.poll(() => altOf(page, name).getAttribute("width")).toBe("210");
  const endCard = await pixels();
  await page.getByRole("button", { name: `Play ${name}` }).click();
  await page.getByRole("button", { name: `Pause ${name}` }).click();
  await moment.focus();
  await page.keyboard.press("Home");
  await expect.poll(() => moment.getAttribute("aria-valuetext")).toBe("0.0 of 5.0 seconds");
  await expect.poll(pixels).not.toBe(endCard);
  await page.keyboard.press("End");
  await expect.poll(pixels).toBe(endCard);
  expect(await allBarriers(page, GRID)).toEqual([]);
  // Thumbnails of the looks fetch their fonts meanwhile, and the order bar requests the price of an animated pack.
  expect(asked.filter((url) => !/\/fonts\/|\/api\/v1\/jobs(\/quote|\?)/.test(url))).toEqual([]);
  expect(faults()).toEqual([]);
});

test("names one size's fault, and shows the others", async () => {
  const { page } = await openGrid();
  const headline = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung";
  await page.getByLabel("Headline", { exact: true }).fill(headline);
  await drawn(page, "Meta feed 1080 × 1080", headline.slice(0, 12));
  await page.getByText("The headline does not fit here.").first().waitFor();
});

test("opens from a strip of three sizes on a phone, in the dark theme", async () => {
  const { page } = await openGrid({ viewport: PHONE, colorScheme: "dark" });
  await page.getByLabel("Headline", { exact: true }).fill("Soft as a cloud");
  const strip = page.getByRole("button", { name: "Live preview: open all sizes" });
  await strip.getByText("All sizes").waitFor();
  await strip.locator('canvas[aria-label*="Soft as a cloud"]').nth(2).waitFor();
  expect(await allBarriers(page, "[data-grid-strip]")).toEqual([]);
  const isWhole = `[...document.querySelectorAll("[data-grid-strip] canvas")].every((canvas) => {
    const [shown, card] = [canvas, canvas.closest("[data-grid-strip]")].map((one) => one.getBoundingClientRect());
    const isStretched = Math.abs(shown.width / shown.height / (canvas.width / canvas.height) - 1) > 0.05;
    return shown.left >= card.left && shown.right <= card.right && !isStretched;
  })`;
  expect(await page.evaluate(isWhole)).toBe(true);
  await strip.click();
  await drawn(page, "IAB banners 300 × 250", "headline");
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  expect(await allBarriers(page, GRID)).toEqual([]);
});

test("on a phone, names further networks that accept a file, and chooses whole networks", async () => {
  const { page, faults } = await openGrid({ viewport: PHONE });
  await page.getByRole("button", { name: "Choose sizes" }).click();
  const dialog = page.getByRole("dialog", { name: "Choose sizes" });
  const offer = dialog.getByText("1080 × 1920 also fits Google Demand Gen and Snapchat, at no extra cost.");
  await offer.waitFor();
  await dialog.getByRole("button", { name: "Add networks" }).click();
  await offer.waitFor({ state: "detached" });
  await dialog.getByText("10 sizes · 10 credits").waitFor();
  await dialog.getByRole("button", { name: "Networks" }).click();
  const networks = page.getByRole("dialog", { name: "Networks" });
  await networks.getByRole("checkbox", { name: "Snapchat 1/1", checked: true }).waitFor();
  expect(await allBarriers(page, '[role="dialog"]')).toEqual([]);
  await networks.getByRole("checkbox", { name: "Pinterest 0/2" }).click();
  await page.keyboard.press("Escape");
  await dialog.getByText("12 sizes · 12 credits").waitFor();
  expect(faults()).toEqual([]);
});

test("shows looks as thumbnails of the pack; a closed panel stays closed and shows its choices", async () => {
  const { page, faults } = await openGrid();
  const design = page.getByRole("region", { name: "Design" });
  await design.scrollIntoViewIfNeeded();
  const isDark = (look: string): Promise<boolean> =>
    page.evaluate(`[...document.querySelectorAll("#style label")].some((label) => {
      const canvas = label.textContent === "${look}" && label.querySelector("canvas");
      return canvas && canvas.getContext("2d").getImageData(3, canvas.height - 3, 1, 1).data[1] < 80;
    })`);
  await expect.poll(() => isDark("Premium"), { timeout: 60_000 }).toBe(true);
  expect(await isDark("Minimal")).toBe(false);
  await design.getByRole("radio", { name: "Premium" }).check({ force: true });
  expect(await allBarriers(page, "#style")).toEqual([]);
  await design.getByRole("button", { name: "Design" }).click();
  await page.reload();
  await design.getByText("Premium · Automatic").waitFor();
  expect(await design.getByRole("radio").count()).toBe(0);
  expect(faults()).toEqual([]);
});

test("with unprotected access, shows exactly the delivered PNGs' pixels", async () => {
  const visitor = await openSignedIn(studio, 0, { deviceScaleFactor: 3 });
  const { page, person } = visitor;
  const unlimited = studio.service.db.prepare(
    "UPDATE workspaces SET has_unlimited_access = 1 WHERE workspace_id = ?",
  );
  await unlimited.bind(person.workspaceId).run();
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await page.getByLabel("File type").click();
  await page.getByRole("option", { name: /^PNG/ }).click();
  await untilGrid(page, emptyDraft.sizeIds.length);
  // Files of the other sizes may be compressed to meet a byte cap, or have more pixels than their tiles.
  const sizeIds = emptyDraft.sizeIds.filter((sizeId) => /^(iab-|meta-feed-1080x1080)/.test(sizeId));
  const tiles: [string, Buffer][] = [];
  for (let step = 0; step < 4; step += 1) await page.getByRole("button", { name: "Zoom in" }).click();
  for (const sizeId of sizeIds) {
    const canvas = page.locator(`[data-size-id="${sizeId}"] canvas`);
    await canvas.scrollIntoViewIfNeeded();
    const { width } = catalogueSize(sizeId);
    await expect.poll(() => canvas.getAttribute("width"), { timeout: 60_000 }).toBe(String(width));
    await page.locator(`[data-size-id="${sizeId}"]:not([aria-busy="true"])`).waitFor();
    const address = await page.evaluate<string>(
      `document.querySelector('[data-size-id="${sizeId}"] canvas').toDataURL()`,
    );
    const [, base64 = ""] = address.split(",");
    tiles.push([sizeId, Buffer.from(base64, "base64")]);
  }
  await page.getByRole("button", { name: "Order this pack", exact: true }).click();
  await untilPack(page);
  const files = await saveZip(page);
  const pixelsOf = (png: Uint8Array) =>
    sharp(Buffer.from(png)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  for (const [sizeId, tile] of tiles) {
    const shown = await pixelsOf(tile);
    const delivered = await pixelsOf(files[`${sizeId}.png`] ?? new Uint8Array());
    expect([sizeId, shown.info.width, shown.info.height]).toEqual([
      ...[sizeId, delivered.info.width, delivered.info.height],
    ]);
    expect([sizeId, shown.data.equals(delivered.data)]).toEqual([sizeId, true]);
  }
  expect(sizeIds.length).toBe(5);
});
