import type { Page } from "playwright-core";
import { expect } from "vitest";
import { CUT_OFF, DISGUISED, flatPhotoOf, HEIC, INVISIBLE, LIVE_TEXT, WEB_FONT } from "./support/files.ts";
import { giveFile, loadSample, orderArea, orderButton, untilGrid } from "./support/order.ts";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace, pageFaults } from "./support/studio.ts";

test("a file of the wrong type is rejected with its real type before upload", async () => {
  const { page, faults, person } = await openSignedIn(studio, 20);
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET" && request.url().includes("/assets/uploads")) sent.push(request.url());
  });
  await orderButton(page).and(page.locator(":enabled")).waitFor();
  const before = sent.length;
  await giveFile(page, DISGUISED);
  const told = page.getByRole("alert").filter({ hasText: "flyer.jpg is actually a PDF file" });
  await told.waitFor();
  expect(sent.length).toBe(before);
  expect(await orderButton(page).isEnabled()).toBe(true);
  await told.getByRole("button", { name: "Dismiss" }).click();
  await told.waitFor({ state: "detached" });
  expect(faults()).toEqual([]);
});

test("a truncated photo is marked, blocks the order, and can be removed", async () => {
  const visitor = await openSignedIn(studio, 20);
  const { page, person } = visitor;
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await page.getByRole("button", { name: "Remove dandelion.webp" }).click();
  await giveFile(page, CUT_OFF);
  await page.getByText("The end of this file is missing. Export it or copy it again.").waitFor();
  await orderArea(page).getByText("A file cannot be used: see the note at the files.").waitFor();
  expect(await orderButton(page).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Remove cut.jpg" }).click();
  await orderButton(page).and(page.locator(":enabled")).waitFor();
  expect(pageFaults(visitor)).toEqual([]);
});

const cardOf = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });

test("HEIC, 54-megapixel and web font files are converted, each with a note", async () => {
  const { page, faults, person } = await openSignedIn(studio, 20);
  await openWorkspace(page, person.workspaceId, "create");
  await giveFile(page, HEIC);
  const photo = cardOf(page, "IMG_0042.jpg");
  await photo.getByText("Converted from HEIC").waitFor();
  const notice = await page.request.get((await photo.getByRole("link").getAttribute("href")) ?? "");
  expect(await notice.text()).toContain("GNU LESSER GENERAL PUBLIC LICENSE");
  // The thumbnail has the photo's own colours, so its profile was kept.
  const mean = await meanOf(page);
  for (const [channel, value] of HEIC_MEAN.entries()) expect(mean[channel]).toBeCloseTo(value, -1);
  await giveFile(page, await flatPhotoOf(9_000, 6_000, 6));
  await cardOf(page, "holiday.jpg").getByText("Reduced from 54 MP to 14 MP").waitFor();
  await cardOf(page, "holiday.jpg").getByText("3,000 × 4,500").or(page.getByText("3000 × 4500")).waitFor();
  await giveFile(page, WEB_FONT);
  await cardOf(page, "InterDisplay-Bold.ttf").getByText("Converted from WOFF2").waitFor();
  await untilGrid(page, 10);
  await orderButton(page).and(page.locator(":enabled")).waitFor();
  expect(faults()).toEqual([]);
});

test("a logo with live text is rejected with advice; a logo that cannot be drawn only blocks the order", async () => {
  const visitor = await openSignedIn(studio, 20);
  const { page, person } = visitor;
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await untilGrid(page, 10);
  await giveFile(page, LIVE_TEXT);
  await page.getByRole("alert").filter({ hasText: "Convert the text to outlines" }).waitFor();
  await giveFile(page, INVISIBLE);
  await cardOf(page, INVISIBLE.name).getByRole("alert").waitFor();
  await untilGrid(page, 10);
  await orderArea(page).getByText("A file cannot be used: see the note at the files.").waitFor();
  expect(await orderButton(page).isDisabled()).toBe(true);
  expect(pageFaults(visitor)).toEqual([]);
});

/** Mean red, green and blue in sRGB of the source of `photo.heic`. */
const HEIC_MEAN = [102.3, 82.7, 26.6];

/** Mean red, green and blue of the first file's thumbnail. */
const meanOf = (page: Page): Promise<number[]> =>
  page.evaluate(`(async () => {
    const image = document.querySelector('li img[src^="blob:"]');
    await image.decode();
    const context = new OffscreenCanvas(30, 20).getContext("2d");
    context.drawImage(image, 0, 0, 30, 20);
    const { data } = context.getImageData(0, 0, 30, 20);
    return [0, 1, 2].map((channel) => data.reduce((sum, value, at) => sum + (at % 4 === channel ? value : 0), 0) / 600);
  })()`);
