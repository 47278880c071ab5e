import { expect } from "vitest";
import { photoOf } from "./support/files.ts";
import { keptDraft } from "./support/kept.ts";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

test("a photo added before the page has fully loaded is in the draft, also after a reload", async () => {
  const { page, person } = await openSignedIn(studio, 0);
  const photo = await photoOf(1200, 800);
  await openWorkspace(page, person.workspaceId, "create");
  await page.locator('input[type="file"]').first().setInputFiles(photo);
  const card = page.getByText(photo.name, { exact: true });
  await card.waitFor();
  await expect.poll(async () => (await keptDraft(page))?.files.media?.name).toBe(photo.name);
  await page.reload();
  await card.waitFor();
  expect(await card.count()).toBe(1);
});

test("text typed right before a reload is in the draft", async () => {
  const { page, person } = await openSignedIn(studio, 0);
  await openWorkspace(page, person.workspaceId, "create");
  const headline = page.getByLabel("Headline", { exact: true });
  for (const words of ["One", "One, two", "One, two, three"]) {
    await headline.fill("");
    await headline.pressSequentially(words);
    await page.reload();
    await headline.waitFor();
    expect(await headline.inputValue()).toBe(words);
  }
});

test("the editor waits for a browser that is slow to grant the draft's lock", async () => {
  const { page, person } = await openSignedIn(studio, 0);
  await page.addInitScript(`
    const request = LockManager.prototype.request;
    let give;
    const given = new Promise((resolve) => { give = resolve; });
    window.giveDraft = () => give();
    LockManager.prototype.request = async function (...asked) {
      await given;
      return request.apply(this, asked);
    };
    const query = LockManager.prototype.query;
    window.looked = 0;
    LockManager.prototype.query = function () {
      window.looked += 1;
      return query.call(this);
    };
  `);
  await openWorkspace(page, person.workspaceId, "create");
  await expect.poll(() => page.evaluate("looked")).toBe(2);
  expect(await page.getByRole("heading", { name: "This draft is open in another tab" }).count()).toBe(0);
  await page.evaluate("giveDraft()");
  await page.getByRole("button", { name: "Load a sample set" }).waitFor();
});
