import { env } from "cloudflare:workers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runMoves } from "#platform/databases/run-moves.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { log } from "#platform/log/log.ts";
import { Gate } from "../fault/gate.ts";
import { gatedDatabases } from "../support/moves.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { withShards } from "../support/shards.ts";
import { askForMove, expectSameRows, phaseOf, real, SOURCE, stopClock, until } from "./move-harness.ts";

/**
 * When a row gets a unique value that another row had, it is copied at once, even if the other row in the target still
 * has the value.
 */

beforeAll(withShards);
// These tests never mirror members to the shards. Marks the workspaces as mirrored, so that the sweeps of later test
// files skip them.
afterAll(() => env.DB.prepare("UPDATE workspaces SET people_mirrored = people_revision").run());
beforeEach(silenceLogs);
beforeEach(stopClock);

/**
 * Values that only one row of a workspace may have at a time. `share` prepares all rows so that each can get the value.
 */
const UNIQUE_VALUES = [
  {
    table: "deliveries",
    order: "delivery_number",
    share:
      "artifact_id = workspace_id, destination_id = (SELECT min(destination_id) FROM destinations WHERE workspace_id = ?1), finished_at = 1",
    isHeld: "artifact_id = workspace_id AND finished_at IS NULL",
    hold: "finished_at = NULL",
    leave: "finished_at = 2",
  },
  {
    table: "destinations",
    order: "created_at",
    share: "identity = workspace_id, deleted_at = 1",
    isHeld: "identity = workspace_id AND deleted_at IS NULL",
    hold: "deleted_at = NULL",
    leave: "deleted_at = 2",
  },
  {
    table: "subscriptions",
    order: "subscription_id",
    share: "status = 'canceled'",
    isHeld: "status = 'active'",
    hold: "status = 'active'",
    leave: "status = 'canceled'",
  },
  {
    table: "top_ups",
    order: "top_up_id",
    share: "status = 'paid'",
    isHeld: "status = 'open'",
    hold: "status = 'open'",
    leave: "status = 'paid'",
  },
] as const;

/** A workspace on the source with prepared rows, and statements that pass the value to one of the rows. */
async function sharePlace(
  { table, order, share, isHeld, hold, leave }: (typeof UNIQUE_VALUES)[number],
  count: number,
) {
  const workspaceId = await askForMove(count);
  const run = (sql: string) => SOURCE.prepare(sql).bind(workspaceId);
  const at = (row: number) =>
    `${order} = (SELECT ${order} FROM ${table} WHERE workspace_id = ?1 ORDER BY ${order} LIMIT 1 OFFSET ${row}) AND workspace_id = ?1`;
  await run(`UPDATE ${table} SET ${share} WHERE workspace_id = ?1`).run();
  const touch = (row: number) => run(`UPDATE ${table} SET ${order} = ${order} WHERE ${at(row)}`);
  const pass = (row: number) =>
    SOURCE.batch([
      run(`UPDATE ${table} SET ${leave} WHERE workspace_id = ?1 AND ${isHeld}`),
      run(`UPDATE ${table} SET ${hold} WHERE ${at(row)}`),
    ]);
  return { workspaceId, run, touch, pass };
}

it.each(UNIQUE_VALUES.flatMap((place) => [0, 1].map((row) => ({ ...place, row }))))(
  "in $table a row can get a unique value that another row had (row $row)",
  async (place) => {
    const { workspaceId, run, touch, pass } = await sharePlace(place, 2);
    await pass(1 - place.row);
    await runMoves(real, async () => undefined);
    expect(await phaseOf(workspaceId)).toBe("copying");
    // The row that gets the value is on the first page of the log, the row that had it on a later page.
    const others = Array.from({ length: 300 }, () =>
      run("UPDATE api_keys SET name = name || '!' WHERE workspace_id = ?1"),
    );
    await SOURCE.batch([touch(place.row), ...others]);
    await pass(place.row);
    await until(workspaceId, "emptying");
    await expectSameRows(workspaceId);
    expect(log.failure).not.toHaveBeenCalled();
  },
);

/** More rows than the first page copies. */
const ROWS_OF_PAGES = 230;

it.each(UNIQUE_VALUES.slice(0, 2))(
  "in $table a unique value can pass between rows while pages are copied",
  async (place) => {
    const { workspaceId, pass } = await sharePlace(place, ROWS_OF_PAGES);
    let turn = 0;
    const gate = new (class extends Gate {
      override async pass<T>(name: string, call: () => Promise<T>): Promise<T> {
        turn += 1;
        await pass((turn * 70) % ROWS_OF_PAGES).catch((thrown: unknown) => {
          if (!isMovingError(thrown)) throw thrown;
        });
        return super.pass(name, call);
      }
    })();
    await until(workspaceId, "emptying", gatedDatabases(real, gate));
    await expectSameRows(workspaceId);
    expect(log.failure).not.toHaveBeenCalled();
  },
);
