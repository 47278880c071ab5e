import { env } from "cloudflare:workers";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { sweepDatabase } from "#interface/queue/sweeps/sweep-database.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { capabilitiesAt } from "#platform/bindings/capabilities-at.ts";
import { log } from "#platform/log/log.ts";
import { MAIL } from "../support/mail.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { recordMessages } from "../support/sent-messages.ts";
import { shardDatabase, withShards } from "../support/shards.ts";
import { seedWorkspace, wholeWorkspace } from "../support/whole-workspace.ts";
import { configured, type Settings } from "../support/workspace.ts";

/** Sweeps skip the rows of a workspace that is moving to or from their database, and handle all others as usual. */

const db = shardDatabase("03");
const DAY_MS = 86_400_000;
const NOW_MS = Date.parse("2040-01-01T00:00:00.000Z");
let shards: Settings;

beforeAll(async () => {
  shards = await withShards();
});
beforeEach(() => {
  silenceLogs();
  for (const queue of [env.RENDER_QUEUE, env.DELIVERY_QUEUE, env.IMPORT_QUEUE]) recordMessages(queue);
});
afterAll(() => db.exec("UPDATE workspaces SET moving_to = NULL, moving_since = NULL"));

/** Runs all sweeps; returns how many rows each handled. */
async function sweep(): Promise<Readonly<Record<string, number>>> {
  const capabilities = capabilitiesAt(readCapabilities(configured({ ...shards, ...MAIL })), "03");
  if (capabilities === null) throw new Error("no shard");
  vi.mocked(log.line).mockClear();
  await sweepDatabase(capabilities, NOW_MS);
  const swept = vi.mocked(log.line).mock.calls.find(([line]) => line.event === "swept");
  return swept?.[0].counts ?? {};
}

/** Changes to rows of `seedWorkspace` that make them overdue for more sweeps. */
const OVERDUE = [
  `UPDATE workspaces SET expires_at = ${NOW_MS - 2 * DAY_MS} WHERE workspace_id = ?1`,
  "UPDATE jobs SET finished_at = NULL, dispatched_at = NULL, is_waiting = rowid % 2 WHERE workspace_id = ?1",
  "UPDATE assets SET status = 'processing', deleted_at = NULL, purge_after = NULL WHERE workspace_id = ?1 AND created_at = 1",
  "UPDATE assets SET deleted_at = NULL, purge_after = NULL WHERE workspace_id = ?1 AND created_at = 0",
  "UPDATE assets SET purge_after = NULL, status = 'rejected' WHERE workspace_id = ?1 AND created_at = 2",
  "UPDATE uploads SET status = 'pending' WHERE workspace_id = ?1",
  `UPDATE asset_imports SET expires_at = ${NOW_MS * 2}, dispatched_at = NULL, lease_id = NULL WHERE workspace_id = ?1
    AND next_attempt_at < 1`,
  "UPDATE deliveries SET finished_at = NULL, next_attempt_at = 1, dispatched_at = NULL WHERE workspace_id = ?1 AND attempts < 2",
  "UPDATE artifacts SET status = 'ready', purged_at = NULL, files = '[]' WHERE workspace_id = ?1",
];

/** A workspace with overdue rows of every kind. */
async function overdue(): Promise<string> {
  const workspaceId = await seedWorkspace(db);
  const mark = db.prepare("INSERT INTO workspace_copies VALUES (?1)").bind(workspaceId);
  await db.batch([
    mark,
    ...OVERDUE.map((sql) => db.prepare(sql).bind(workspaceId)),
    db.prepare("DELETE FROM workspace_copies"),
  ]);
  return workspaceId;
}

it.each([
  ["to it", "home = '01', moving_to = '03', moving_since = 5"],
  ["from it", "moving_to = '0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71', moving_since = 5"],
])("a sweep of a database skips a workspace that moves %s", async (_, place) => {
  // Handles overdue rows of earlier runs.
  for (let run = 0; run < 3; run += 1) await sweep();
  await overdue();
  const alone = await sweep();
  expect(Object.keys(alone).length).toBeGreaterThan(13);
  for (let run = 0; run < 3; run += 1) await sweep();

  const moving = await overdue();
  await db.prepare(`UPDATE workspaces SET ${place} WHERE workspace_id = ?1`).bind(moving).run();
  const before = await wholeWorkspace(db, moving);
  await overdue();
  expect(await sweep()).toEqual(alone);
  expect(await wholeWorkspace(db, moving)).toEqual(before);
});
