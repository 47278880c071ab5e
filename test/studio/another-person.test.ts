import { expect } from "vitest";
import { fillSignIn, openAccount } from "./support/accounts.ts";
import { test } from "./support/shared-studio.ts";
import { openVisitor, postAs, type Studio } from "./support/studio.ts";

/** Two people at one device: where the session of one has ended, the other begins with a page of their own. */

let studio: Studio;
test.beforeAll(({ studio: shared }) => {
  studio = shared;
});

test("whoever signs in over another's page leaves it for their own", async () => {
  const [ada, grace] = await Promise.all([openAccount(studio, 0), openAccount(studio, 0)]);
  const visitor = await openVisitor(studio);
  const { page } = visitor;
  await page.goto("/sign-in");
  await fillSignIn(page, ada);
  await page.waitForURL(`**/w/${ada.workspaceId}/create`);

  const packs = page.getByRole("link", { name: "Packs", exact: true });
  await packs.waitFor();
  expect((await postAs(studio, visitor, "sign-out")).ok()).toBe(true);
  // The page may have met the end of the session by itself: then nothing behind the form can be pressed, or it has left.
  const email = page.getByLabel("E-mail address");
  await packs.evaluateAll("(links) => { for (const link of links) link.click(); }");
  // Over the page, or on a page of its own where the way there was asked for first.
  await email.waitFor();
  await fillSignIn(page, grace);
  await page.waitForURL(`**/w/${grace.workspaceId}/create`);
});
