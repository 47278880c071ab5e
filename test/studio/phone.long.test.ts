import { expect } from "vitest";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace, PHONE } from "./support/studio.ts";

/** On a phone the editor's steps back and forth take one line, in longer languages as well, and keep their names. */

const NAMES = [
  ["en-GB", ["Undo", "Redo", "More actions"]],
  ["de-DE", ["Rückgängig", "Wiederholen", "Weitere Aktionen"]],
] as const;

test.for(NAMES)("in %s", async ([locale, names], { studio }) => {
  const { page, person, faults } = await openSignedIn(studio, 0, { locale, viewport: PHONE });
  await openWorkspace(page, person.workspaceId, "create");
  const buttons = names.map((name) => page.getByRole("button", { name }));
  // A part of the page that still loads its texts hides the header for a moment.
  await expect
    .poll(async () => {
      const boxes = await Promise.all(buttons.map((button) => button.boundingBox()));
      return boxes.map((box) => box?.y ?? -1);
    })
    .toSatisfy((tops: readonly number[]) => tops.every((top) => top > 0 && top === tops[0]));
  expect(faults()).toEqual([]);
});
