import { expect } from "vitest";
import { fillSignIn, openAccount } from "./support/accounts.ts";
import { studio, test } from "./support/shared-studio.ts";
import { openVisitor, postAs } from "./support/studio.ts";

/** Two users of one device: after the first one's session has ended, the second starts with a page of their own. */

test("a second user who signs in over the first one's page gets their own page", async () => {
  const [ada, grace] = await Promise.all([openAccount(studio, 0), openAccount(studio, 0)]);
  const visitor = await openVisitor(studio);
  const { page } = visitor;
  await page.goto("/sign-in");
  await fillSignIn(page, ada);
  await page.waitForURL(`**/w/${ada.workspaceId}/create**`);

  const packs = page.getByRole("link", { name: "Packs", exact: true });
  await packs.waitFor();
  expect((await postAs(studio, visitor, "sign-out")).ok()).toBe(true);
  // Click by script, because the page may already have noticed the end of the session. Then everything behind the
  // dialog is inert, or the sign-in page is open.
  const email = page.getByLabel("Email address");
  await packs.evaluateAll("(links) => { for (const link of links) link.click(); }");
  // The form is in the dialog over the page, or on the sign-in page if the link was opened first.
  await email.waitFor();
  await fillSignIn(page, grace);
  await page.waitForURL(`**/w/${grace.workspaceId}/create**`);
});

test("signing out can delete all data in the browser", async () => {
  const ada = await openAccount(studio, 0);
  const { page } = await openVisitor(studio);
  await page.goto("/sign-in");
  await fillSignIn(page, ada);
  await page.waitForURL(`**/w/${ada.workspaceId}/create**`);
  await page.getByRole("textbox", { name: "Headline", exact: true }).fill("Kept by the browser");
  const kept = () =>
    page.evaluate<readonly unknown[]>(`new Promise((resolve, reject) => {
      const opened = indexedDB.open("creative-packs");
      opened.onerror = () => reject(opened.error);
      opened.onsuccess = () => {
        const { result } = opened;
        if (!result.objectStoreNames.contains("drafts")) return resolve([0, localStorage.length, JSON.stringify(sessionStorage)]);
        const count = result.transaction("drafts").objectStore("drafts").count();
        count.onsuccess = () => {
          result.close();
          resolve([count.result, localStorage.length, JSON.stringify(sessionStorage)]);
        };
      };
    })`);
  await expect.poll(async () => (await kept())[0]).not.toBe(0);
  await page.getByRole("button", { name: "Account", exact: true }).click();
  await page.getByRole("menuitem", { name: "Sign out and remove my data from this device" }).click();
  await page.waitForURL((address) => address.pathname === "/" || address.pathname === "/sign-in");
  await expect.poll(kept).toEqual([0, 0, expect.not.stringContaining(ada.workspaceId)]);
});
