import { expect } from "vitest";
import { gate } from "./support/gate.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

/** A page requests an API key only when it needs one. */

/** Number of the page's first requests: the balance and the ledger. */
const FIRST = 2;

test("a key that is rejected for several requests is replaced once", async ({ studio }) => {
  const { page, person } = await openSignedIn(studio, 20);
  const keys: string[] = [];
  await page.route("**/session-key", async (route) => {
    const answer = await route.fetch();
    keys.push((await answer.json()).data.secret);
    await route.fulfill({ response: answer });
  });
  // Reject all of the page's first requests at the same time.
  let refused = 0;
  const all = gate();
  await page.route("**/api/v1/**", async (route) => {
    const key = route.request().headers().authorization?.replace("Bearer ", "");
    if (key === undefined || key !== keys[0]) return route.continue();
    refused += 1;
    if (refused === FIRST) all.open();
    await all.opened;
    await route.fulfill({
      status: 401,
      json: { ok: false, error: { code: "KEY_INVALID", message: "It ended." }, requestId: "1" },
    });
  });
  await openWorkspace(page, person.workspaceId, "usage");
  await page.getByText("Added by the operator").first().waitFor();
  await page.getByRole("link", { name: "20 credits" }).waitFor();
  await page.getByText("Nothing was spent in this period.").waitFor();
  expect(keys).toHaveLength(2);
});
