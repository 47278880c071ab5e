import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

/** Number of events: more than 100 pages of maximum size. */
const EVENTS = 10_050;

test("the whole audit log is saved as CSV, however long it is", async () => {
  const { page, person, faults } = await openSignedIn(studio, 1);
  const time = Date.now().toString(16).padStart(12, "0");
  await studio.service.db
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${EVENTS})
      INSERT INTO audit_events (event_id, workspace_id, type, actor_kind)
      SELECT ? || printf('%012x', i), ?, 'key.created', 'operator' FROM n`,
    )
    .bind(`${time}70008000`, person.workspaceId)
    .run();
  await openWorkspace(page, person.workspaceId, "audit");
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const lines = (await readFile(await (await coming).path(), "utf8")).trim().split("\r\n");
  expect(lines.filter((line) => line.includes("key.created"))).toHaveLength(EVENTS);
  expect(faults()).toEqual([]);
});
