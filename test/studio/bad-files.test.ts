import { expect } from "vitest";
import { CUT_OFF, DISGUISED } from "./support/files.ts";
import { giveFile, loadSample, orderArea, orderButton } from "./support/order.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace, pageFaults, type Studio } from "./support/studio.ts";

/** A file that cannot be used is told of beside it, and the draft goes on without it. */

let studio: Studio;
test.beforeAll(({ studio: shared }) => {
  studio = shared;
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
  await giveFile(page, DISGUISED);
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
  await giveFile(page, CUT_OFF);
  await page.getByText("The end of this file is missing. Export it or copy it again.").waitFor();
  await orderArea(page).getByText("A file could not be uploaded: see the note at the files.").waitFor();
  expect(await orderButton(page).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Remove cut.jpg" }).click();
  await orderButton(page).and(page.locator(":enabled")).waitFor();
  expect(pageFaults(visitor)).toEqual([]);
});
