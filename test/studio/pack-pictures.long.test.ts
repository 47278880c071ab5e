import { expect } from "vitest";
import { gate } from "./support/gate.ts";
import { seedPack } from "./support/seed.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

test("each picture's frame is busy until the picture is shown", async ({ studio }) => {
  const { page, person, faults } = await openSignedIn(studio, 10);
  const { artifactId } = await seedPack(studio, person);
  const fetched = gate();
  await page.route(`**/api/v1/artifacts/${artifactId}/files/**`, async (route) => {
    await fetched.opened;
    await route.continue();
  });
  await openWorkspace(page, person.workspaceId, `packs/${artifactId}`);
  const busy = page.locator('figure [aria-busy="true"]');
  await expect.poll(() => busy.count()).toBe(3);
  fetched.open();
  await page.getByRole("img", { name: /300 × 250/ }).waitFor();
  await expect.poll(() => busy.count()).toBe(0);
  expect(faults()).toEqual([]);
});
