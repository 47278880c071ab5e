import { expect } from "vitest";
import { clientOf } from "../conformance/support/flow.ts";
import { orderButton, untilPack } from "./support/order.ts";
import { seedPack, seedShare } from "./support/seed.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

/** The one list of drafts and packs: it is searched as people type, and each draft and version is found again. */

test("a search that rests after a word goes on with the next one", async ({ studio }) => {
  const { page, person, faults } = await openSignedIn(studio, 10);
  await seedPack(studio, person);
  await openWorkspace(page, person.workspaceId, "packs");
  const field = page.getByRole("searchbox");
  const searched = page.waitForResponse((answer) => answer.url().includes("search=soft"));
  await field.pressSequentially("soft ");
  await searched;
  await page.getByText("Soft as the first warm day").waitFor();
  await field.pressSequentially("as");
  expect(await field.inputValue()).toBe("soft as");
  await field.fill("nothing of this");
  await page.getByRole("button", { name: "Show everything" }).click();
  await page.getByText("Soft as the first warm day").waitFor();
  expect(await field.inputValue()).toBe("");
  expect(faults()).toEqual([]);
});

test("drafts: each keeps its words under its name, one can be copied and deleted, and a lost one says so", async ({
  studio,
}) => {
  const { page, person, faults } = await openSignedIn(studio, 0);
  const headline = page.getByRole("textbox", { name: "Headline", exact: true });
  const card = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  const act = async (name: string, action: string) => {
    await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  await openWorkspace(page, person.workspaceId, "create");
  await headline.fill("First idea");
  await page.getByRole("link", { name: "New pack" }).click();
  await page.getByRole("heading", { name: "Untitled draft" }).waitFor();
  await headline.fill("Second idea");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Autumn");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Autumn" }).waitFor();

  await page.getByRole("link", { name: "Packs", exact: true }).click();
  await act("Autumn", "Duplicate");
  await card("Copy of Autumn").waitFor();
  await act("First idea", "Delete");
  await page.getByRole("button", { name: "Delete draft" }).click();
  await card("First idea").waitFor({ state: "detached" });
  await page.getByRole("searchbox").fill("copy");
  await card("Copy of Autumn").getByRole("link").click();
  await page.getByRole("heading", { name: "Copy of Autumn" }).waitFor();
  expect(await headline.inputValue()).toBe("Second idea");
  await page.reload();
  await page.getByRole("heading", { name: "Copy of Autumn" }).waitFor();

  await openWorkspace(page, person.workspaceId, `create?draft=${person.workspaceId}`);
  await page.getByRole("heading", { name: "This draft is not in this browser" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "New pack" }).click();
  await page.getByRole("heading", { name: "Untitled draft" }).waitFor();
  expect(faults()).toEqual([]);
});

test("the one draft of an earlier Studio is the first of many", async ({ studio }) => {
  const { page, person } = await openSignedIn(studio, 0);
  await openWorkspace(page, person.workspaceId, "create");
  await page.getByRole("textbox", { name: "Headline", exact: true }).fill("Kept since spring");
  await page.getByRole("link", { name: "Packs", exact: true }).click();
  await page.getByText("Kept since spring").waitFor();
  await page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open("creative-packs");
    opening.onsuccess = () => {
      const drafts = opening.result.transaction("drafts", "readwrite").objectStore("drafts");
      drafts.openCursor().onsuccess = ({ target: { result: cursor } }) => {
        const { shape, history, order } = cursor.value;
        drafts.put({ shape, history, order }, cursor.key.replace(/[^/]+\\/draft$/, "draft"));
        cursor.delete();
      };
      drafts.transaction.oncomplete = resolve;
    };
  })`);
  await page.reload();
  await page.getByRole("link", { name: "Kept since spring" }).click();
  await page.getByRole("heading", { name: "Kept since spring" }).waitFor();
});

test("a new version: ordered from the pack, listed with its state, and seen beside the first one", async ({
  studio,
}) => {
  const { page, person, faults } = await openSignedIn(studio, 20);
  const pack = await seedPack(studio, person);
  const { jobs } = clientOf(studio.service, pack.key);
  await openWorkspace(page, person.workspaceId, `packs/${pack.artifactId}`);
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Spring sale");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Spring sale" }).waitFor();
  await page.getByRole("link", { name: "New version" }).click();
  await page.getByRole("heading", { name: "Spring sale" }).waitFor();
  await page.getByRole("textbox", { name: "Headline", exact: true }).fill("Softer still");
  await orderButton(page).click();
  await untilPack(page);
  await page.getByRole("region", { name: "Versions" }).getByText("V2").waitFor();
  const [second, first] = (await jobs.list({ versionOf: pack.jobId }).firstPage()).items;
  expect([first?.jobId, second?.name]).toEqual([pack.jobId, "Spring sale"]);
  await page.getByRole("button", { name: "Compare with V1" }).click();
  await page
    .getByRole("dialog")
    .getByRole("img", { name: /^V1: .* 300 × 250$/ })
    .waitFor();
  await page
    .getByRole("dialog")
    .getByRole("img", { name: /^V2: .* 300 × 250$/ })
    .waitFor();
  await page.keyboard.press("Escape");

  await seedShare(studio, pack);
  await page.getByRole("link", { name: "Packs", exact: true }).click();
  await page.getByRole("button", { name: "In review" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Actions for Spring sale" }).count()).toBe(1);
  expect(faults()).toEqual([]);
});
