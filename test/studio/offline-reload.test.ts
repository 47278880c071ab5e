import { expect } from "vitest";
import { loadSample, untilGrid } from "./support/order.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

/** A page that was loaded once opens again without a connection. */

test("the editor opens without a connection with its draft drawn; no answer of the API is cached", async ({
  studio,
}) => {
  const { page, context, person } = await openSignedIn(studio, 20, { serviceWorkers: "allow" });
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await untilGrid(page, 10);
  // The draft is written when the page is left; the service worker runs from the second visit on.
  await page.reload();
  await untilGrid(page, 10);
  await context.setOffline(true);
  await page.reload();
  await page.getByText("You are offline. Your draft is kept in this browser.").waitFor();
  await page.getByText("dandelion.webp", { exact: true }).waitFor();
  await untilGrid(page, 10);
  const kept = await page.evaluate<string[]>(
    "caches.keys().then(async ([name]) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname))",
  );
  expect(kept).toContain("/");
  expect(kept.filter((path) => path !== "/" && !path.startsWith("/studio/"))).toEqual([]);
});
