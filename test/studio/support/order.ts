import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import type { Page, Request, Response } from "playwright-core";
import type { GivenFile } from "./files.ts";

/** The steps of an order as a user takes them; each waits for what the page shows. */

/** Fills an empty draft, and waits until its files are uploaded. */
export async function loadSample(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Load a sample set" }).click();
  await page.getByText("pappus.png", { exact: true }).waitFor();
}

/** Adds a file to the editor through the input behind "Choose files". */
export const giveFile = (page: Page, file: GivenFile): Promise<void> =>
  page.locator("input[type=file]").setInputFiles({ ...file });

/** The bar with cost, order button and progress. */
export const orderArea = (page: Page) => page.getByRole("region", { name: "Order", exact: true });

/** The order button; enabled once the files are uploaded. */
export const orderButton = (page: Page) => page.getByRole("button", { name: /^Order for / });

/** Whether a request is an order; the page also lists orders at the same URL. */
export const isOrder = (request: Request): boolean =>
  request.method() === "POST" && new URL(request.url()).pathname === "/api/v1/jobs";

/** The response to the next order. */
export const untilOrdered = (page: Page): Promise<Response> =>
  page.waitForResponse((answer) => isOrder(answer.request()));

/** Waits until the pack is ready and its page is shown. */
export async function untilPack(page: Page): Promise<void> {
  await page.waitForURL(/\/packs\/[0-9a-f-]+$/);
  await page.getByRole("button", { name: "Download all (ZIP)" }).waitFor();
}

/** Opens the next version of the pack, from the menu of its page. */
export async function beginVersion(page: Page): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Actions for / })
    .click();
  await page.getByRole("menuitem", { name: "New version" }).click();
}

/** Downloads the pack's ZIP and reads its contents from disk. */
export async function saveZip(page: Page): Promise<Readonly<Record<string, Uint8Array>>> {
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download all (ZIP)" }).click();
  const download = await coming;
  return unzipSync(new Uint8Array(await readFile(await download.path())));
}

/** Waits until this many sizes of the grid are drawn: only a drawn tile's label lists its content. */
export const untilGrid = (page: Page, sizes: number): Promise<void> =>
  page
    .locator('figure[data-size-id] canvas[aria-label*=": "]')
    .nth(sizes - 1)
    .waitFor();
