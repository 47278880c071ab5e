import { expect } from "vitest";
import { photoOf } from "./support/files.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace, type Studio } from "./support/studio.ts";

/** What is given to the editor as soon as it can take something is taken, and kept. */

let studio: Studio;
test.beforeAll(({ studio: shared }) => {
  studio = shared;
});

test("a photo that is given at once stands in the draft, also after a reload", async () => {
  const { page, person } = await openSignedIn(studio, 0);
  const photo = await photoOf(1200, 800);
  await openWorkspace(page, person.workspaceId, "create");
  await page.locator('input[type="file"]').first().setInputFiles(photo);
  const card = page.getByText(photo.name, { exact: true });
  await card.waitFor();
  await page.waitForFunction(draftNames(photo.name));
  await page.reload();
  await card.waitFor();
  expect(await card.count()).toBe(1);
});

/** In the page: resolves to whether the browser has written a draft that names a file; no sign on the page tells of it. */
const draftNames = (fileName: string): string => `new Promise((resolve) => {
  const opening = indexedDB.open("creative-packs");
  opening.onsuccess = () => {
    const reading = opening.result.transaction("drafts").objectStore("drafts").getAll();
    reading.onsuccess = () => {
      opening.result.close();
      resolve(reading.result.some(({ history }) => JSON.stringify(history ?? null).includes(${JSON.stringify(fileName)})));
    };
  };
})`;
