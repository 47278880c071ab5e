import type { Page } from "playwright-core";
import { expect } from "vitest";
import { chargesOf, ledgerOf } from "./support/credits.ts";
import { CUT_OFF, DISGUISED, flatPhotoOf, type GivenFile } from "./support/files.ts";
import { loadSample, orderArea, orderButton, untilPack, untilWall } from "./support/order.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace, PHONE, pageFaults, type Studio } from "./support/studio.ts";

/** A file that cannot be used, or only just, is told of beside it, and the draft goes on without it. */

let studio: Studio;
test.beforeAll(({ studio: shared }) => {
  studio = shared;
});

/** The field behind "Choose files". */
const give = (page: Page, ...files: GivenFile[]) =>
  page.locator("input[type=file]").setInputFiles(files.map((file) => ({ ...file })));

test("a photo of 40 megapixels on a phone becomes a pack; one of 54 is told how small it must be", async () => {
  const visitor = await openSignedIn(studio, 20, { viewport: PHONE, hasTouch: true, isMobile: true });
  const { page, faults, person } = visitor;
  await openWorkspace(page, person.workspaceId, "create");
  await give(page, await flatPhotoOf(9_000, 6_000));
  await page.getByRole("alert").filter({ hasText: "holiday.jpg has too many pixels" }).waitFor();
  await give(page, await flatPhotoOf(7_750, 5_165));
  await page.getByText("7,750 × 5,165").or(page.getByText("7750 × 5165")).waitFor();
  await page.getByRole("button", { name: "Wall", exact: true }).click();
  await untilWall(page, 10);
  await orderButton(page).click();
  await untilPack(page);
  expect(chargesOf(await ledgerOf(studio, visitor, person.workspaceId))).toEqual([-10]);
  expect(faults()).toEqual([]);
});

test("a file that is not what it says is named with what it is, and nothing of it is sent", async () => {
  const { page, faults, person } = await openSignedIn(studio, 20);
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET" && request.url().includes("/assets/uploads")) sent.push(request.url());
  });
  await orderButton(page).and(page.locator(":enabled")).waitFor();
  const before = sent.length;
  await give(page, DISGUISED);
  const told = page.getByRole("alert").filter({ hasText: "flyer.jpg is a PDF file, whatever it is called" });
  await told.waitFor();
  expect(sent.length).toBe(before);
  expect(await orderButton(page).isEnabled()).toBe(true);
  await told.getByRole("button", { name: "Dismiss" }).click();
  await told.waitFor({ state: "detached" });
  expect(faults()).toEqual([]);
});

test("a photo whose end is missing is told of at the photo, cannot be ordered, and can be taken out", async () => {
  const visitor = await openSignedIn(studio, 20);
  const { page, person } = visitor;
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await page.getByRole("button", { name: "Remove dandelion.jpg" }).click();
  await give(page, CUT_OFF);
  await page.getByText("The end of this file is missing. Export it or copy it again.").waitFor();
  await orderArea(page).getByText("A file could not be uploaded: see the note at the files.").waitFor();
  expect(await orderButton(page).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Remove cut.jpg" }).click();
  await orderButton(page).and(page.locator(":enabled")).waitFor();
  expect(pageFaults(visitor)).toEqual([]);
});
