import { expect } from "vitest";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace, PHONE } from "./support/studio.ts";

/** On a phone the editor's steps back and forth take one line, in longer languages as well, and keep their names. */

const NAMES = [
  ["en-GB", ["Undo", "Redo", "Start over"]],
  ["de-DE", ["Rückgängig", "Wiederholen", "Neu beginnen"]],
] as const;

test.for(NAMES)("in %s", async ([locale, names], { studio }) => {
  const { page, person, faults } = await openSignedIn(studio, 0, { locale, viewport: PHONE });
  await openWorkspace(page, person.workspaceId, "create");
  const tops = await Promise.all(
    names.map(async (name) => (await page.getByRole("button", { name }).boundingBox())?.y),
  );
  expect(new Set(tops).size).toBe(1);
  expect(tops[0]).toBeGreaterThan(0);
  expect(faults()).toEqual([]);
});
