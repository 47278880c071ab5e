import { env } from "cloudflare:workers";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { clock } from "#platform/clock.ts";
import { MoveRun } from "#platform/databases/move-run.ts";
import { latestMove } from "#platform/databases/move-store.ts";
import { MOVED_GROUPS } from "#platform/databases/move-tables.ts";
import { runMoves } from "#platform/databases/run-moves.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { log } from "#platform/log/log.ts";
import { Gate, Pause } from "../fault/gate.ts";
import { gatedDatabases } from "../support/moves.ts";
import { seededRandom } from "../support/pictures.ts";
import { silenceLogs } from "../support/read-logs.ts";
import { withShards } from "../support/shards.ts";
import { seedWorkspace, wholeWorkspace } from "../support/whole-workspace.ts";
import {
  askForMove,
  expectSameRows,
  passMinute,
  phaseOf,
  real,
  SOURCE,
  stopClock,
  TARGET,
  until,
} from "./move-harness.ts";

/**
 * Every write to a workspace during its copy reaches the new database before that database opens. The batch of a write
 * logs the changed rows, an entry stays until its row is copied, and no older row replaces a newer one. Rows that were
 * not logged are found by counting.
 */

beforeAll(withShards);
// These tests never mirror members to the shards. Marks the workspaces as mirrored, so that the sweeps of later test
// files skip them.
afterAll(() => env.DB.prepare("UPDATE workspaces SET people_mirrored = people_revision").run());
beforeEach(silenceLogs);
beforeEach(stopClock);

/** Logged changes, as tables with their keys. */
async function noted(db: D1Database, workspaceId: string): Promise<string[]> {
  const { results } = await db
    .prepare(
      "SELECT DISTINCT table_name || ' ' || root_key AS root FROM workspace_changes WHERE workspace_id = ?1",
    )
    .bind(workspaceId)
    .all<{ root: string }>();
  return results.map(({ root }) => root).toSorted();
}

const ROW_FILTERS: Readonly<Record<string, string>> = {
  job_parts: "job_id IN (SELECT job_id FROM jobs WHERE workspace_id = ?1)",
  delivery_files: "delivery_id IN (SELECT delivery_id FROM deliveries WHERE workspace_id = ?1)",
  share_comments: "share_id IN (SELECT share_id FROM shares WHERE workspace_id = ?1)",
  billing_events: "object_id IN (SELECT payment_id FROM payments WHERE workspace_id = ?1)",
};
const isOfWorkspace = (table: string): string => ROW_FILTERS[table] ?? "workspace_id = ?1";

/** Rows that depend on a row of the table and must be deleted before it, leaves first. */
const DEPENDENTS: Readonly<Record<string, readonly string[]>> = {
  jobs: ["share_comments", "shares", "artifacts", "job_parts"],
  artifacts: ["share_comments", "shares"],
  shares: ["share_comments"],
  assets: ["uploads", "asset_imports"],
  destinations: ["delivery_files", "deliveries"],
};

const LOGGED_TABLES = MOVED_GROUPS.filter(({ isLate }) => !isLate).flatMap(({ root, key, children }) =>
  [root, ...children.map(({ table }) => table)].map((table) => ({
    table: getTableConfig(table).name,
    root: getTableConfig(root).name,
    key: key.name,
    column: Object.values(getTableConfig(table).columns).find(({ primary }) => !primary)?.name ?? key.name,
  })),
);

it.each(LOGGED_TABLES)(
  "changes of $table are logged with their parent row",
  async ({ table, root, key, column }) => {
    const workspaceId = await seedWorkspace(SOURCE, 2);
    const write = (sql: string) => SOURCE.prepare(sql).bind(workspaceId);
    const keys = await write(`SELECT '${root} ' || ${key} AS root FROM ${root} WHERE ${isOfWorkspace(root)}`)
      .all<{ root: string }>()
      .then(({ results }) => results.map((row) => row.root).toSorted());
    const where = isOfWorkspace(table);
    const rows = await write(`SELECT * FROM ${table} WHERE ${where}`).all<
      Record<string, string | number | null>
    >();
    const touch = `UPDATE ${table} SET ${column} = ${column} WHERE ${where}`;
    const isLedger = table === "ledger_events";
    const isNeverUpdated = isLedger || table === "audit_events";
    if (!isNeverUpdated) await write(touch).run();
    expect(await noted(SOURCE, workspaceId), "while it does not move").toEqual([]);

    await write("UPDATE workspaces SET moving_to = '01' WHERE workspace_id = ?1").run();
    if (isLedger) {
      await SOURCE.prepare(
        `INSERT INTO ledger_events (workspace_id, type, amount, source, balance_after, reference, description, created_at)
       VALUES (?1, 'grant', 5, 'credits', 25, ?2, 'later', 9)`,
      )
        .bind(workspaceId, `${workspaceId}:later`)
        .run();
      expect(await noted(SOURCE, workspaceId)).toEqual([`ledger_events ${workspaceId}:later`]);
      return;
    }
    if (!isNeverUpdated) {
      await write(touch).run();
      expect(await noted(SOURCE, workspaceId), "updated").toEqual(keys);
    }

    // Deletes the row with its dependents, and reinserts it without them.
    const forget = write("DELETE FROM workspace_changes WHERE workspace_id = ?1");
    const ofRoot = async () => (await noted(SOURCE, workspaceId)).filter((one) => one.startsWith(`${root} `));
    const dependents = DEPENDENTS[table] ?? [];
    await SOURCE.batch([
      ...dependents.map((one) => write(`DELETE FROM ${one} WHERE ${isOfWorkspace(one)}`)),
      forget,
      write(`DELETE FROM ${table} WHERE ${where}`),
    ]);
    expect(await ofRoot(), "deleted").toEqual(keys);
    await forget.run();
    for (const row of rows.results) {
      const names = Object.keys(row);
      await SOURCE.prepare(
        `INSERT INTO ${table} (${names.join()}) VALUES (${names.map((_, at) => `?${at + 1}`).join()})`,
      )
        .bind(...Object.values(row))
        .run();
    }
    expect(await ofRoot(), "inserted").toEqual(keys);
  },
);

/** Tables that allow only some kinds of writes. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  ledger_events: ["insert"],
  audit_events: ["insert", "delete"],
};

it("every table copied while in use has a trigger for each kind of write", async () => {
  const { results } = await SOURCE.prepare(
    "SELECT tbl_name || ' ' || name AS name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%\\_noted' ESCAPE '\\'",
  ).all<{ name: string }>();
  const wanted = LOGGED_TABLES.flatMap(({ table }) =>
    (WAYS[table] ?? ["insert", "update", "delete"]).map((event) => `${table} ${table}_${event}_noted`),
  );
  expect(results.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted());
});

it("a changed key logs the old and the new key", async () => {
  const workspaceId = await seedWorkspace(SOURCE, 1);
  await SOURCE.prepare("UPDATE workspaces SET moving_to = '01' WHERE workspace_id = ?1")
    .bind(workspaceId)
    .run();
  await SOURCE.prepare(
    "UPDATE idempotency_keys SET idempotency_key = 'a:' || workspace_id WHERE workspace_id = ?1",
  )
    .bind(workspaceId)
    .run();
  expect(await noted(SOURCE, workspaceId)).toHaveLength(2);
});

/** Writes of an active workspace. `?2` selects the row. */
const WRITES: readonly string[] = [
  "UPDATE jobs SET failure_message = 'w' || ?2 WHERE job_id = (SELECT job_id FROM jobs WHERE workspace_id = ?1 ORDER BY job_id LIMIT 1 OFFSET ?2 % 12)",
  "UPDATE assets SET slot_id = 'w' || ?2 WHERE asset_id = (SELECT asset_id FROM assets WHERE workspace_id = ?1 ORDER BY asset_id LIMIT 1 OFFSET ?2 % 12)",
  "UPDATE api_keys SET name = 'w' || ?2 WHERE api_key_id = (SELECT api_key_id FROM api_keys WHERE workspace_id = ?1 ORDER BY api_key_id LIMIT 1 OFFSET ?2 % 12)",
  "UPDATE deliveries SET finished_at = ?2 WHERE delivery_number = (SELECT delivery_number FROM deliveries WHERE workspace_id = ?1 ORDER BY delivery_number LIMIT 1 OFFSET ?2 % 12)",
  "UPDATE share_comments SET text = 'w' || ?2 WHERE share_id = (SELECT share_id FROM shares WHERE workspace_id = ?1 ORDER BY share_id LIMIT 1 OFFSET ?2 % 12)",
  "UPDATE job_parts SET attempts = ?2 WHERE job_id = (SELECT job_id FROM jobs WHERE workspace_id = ?1 ORDER BY job_id LIMIT 1 OFFSET ?2 % 12)",
  "UPDATE usage_days SET consumed = consumed + 1 WHERE workspace_id = ?1 AND api_key_id = (SELECT api_key_id FROM usage_days WHERE workspace_id = ?1 ORDER BY api_key_id LIMIT 1 OFFSET ?2 % 12)",
  "DELETE FROM idempotency_keys WHERE idempotency_key = (SELECT idempotency_key FROM idempotency_keys WHERE workspace_id = ?1 LIMIT 1 OFFSET ?2 % 12) AND workspace_id = ?1",
  "DELETE FROM share_comments WHERE comment_id = (SELECT c.comment_id FROM share_comments c JOIN shares s ON s.share_id = c.share_id WHERE s.workspace_id = ?1 LIMIT 1 OFFSET ?2 % 12) AND ?2 % 4 = 0",
  "DELETE FROM asset_imports WHERE asset_id = (SELECT asset_id FROM asset_imports WHERE workspace_id = ?1 LIMIT 1 OFFSET ?2 % 12) AND ?2 % 3 = 0",
  "DELETE FROM previews WHERE object_key = (SELECT object_key FROM previews WHERE workspace_id = ?1 LIMIT 1 OFFSET ?2 % 12) AND ?2 % 3 = 0",
  `INSERT INTO ledger_events (workspace_id, type, amount, source, balance_after, reference, description, created_at)
    SELECT workspace_id, 'grant', 5, 'credits', credits + 5, workspace_id || ':w' || ?2, '', 1790000000000 + ?2 * 9000000
    FROM workspaces WHERE workspace_id = ?1`,
];

/** Writes to the workspace before every call to a database, until the workspace refuses writes. */
class BusyGate extends Gate {
  readonly #workspaceId: string;
  readonly #random: () => number;
  writes = 0;

  constructor(workspaceId: string, seed: number) {
    super();
    this.#workspaceId = workspaceId;
    this.#random = seededRandom(seed);
  }

  override async pass<T>(name: string, call: () => Promise<T>): Promise<T> {
    const sql = WRITES[Math.floor(this.#random() * WRITES.length)] ?? "";
    this.writes += 1;
    const turn = this.writes;
    // The source of a move refuses neither writes to usage sums nor deletions of the rows left behind. So the batch
    // begins with a write to the workspace's row, which the source does refuse.
    await SOURCE.batch([
      SOURCE.prepare("UPDATE workspaces SET name = name WHERE workspace_id = ?1").bind(this.#workspaceId),
      SOURCE.prepare(sql).bind(this.#workspaceId, turn),
    ]).catch((thrown: unknown) => {
      if (!isMovingError(thrown)) throw thrown;
    });
    return super.pass(name, call);
  }
}

it.each([1, 2])("a workspace written to at every step arrives complete (seed %i)", async (seed) => {
  const workspaceId = await askForMove(12);
  const gate = new BusyGate(workspaceId, seed);
  await until(workspaceId, "emptying", gatedDatabases(real, gate));
  await expectSameRows(workspaceId);
  expect(log.failure).not.toHaveBeenCalled();
  await until(workspaceId, "done");
  expect([...(await noted(SOURCE, workspaceId)), ...(await noted(TARGET, workspaceId))]).toEqual([]);
});

/** At these calls the first run reads and writes pages. */
it.each([12, 21, 30])("a paused run replaces no row with an older one (call %i)", async (step) => {
  const workspaceId = await askForMove(2);
  const pause = new Pause(step);
  const held = runMoves(gatedDatabases(real, new Gate(pause)), async () => undefined);
  await pause.reached;
  for (const name of ["first", "second"]) {
    await SOURCE.prepare("UPDATE api_keys SET name = ?2 || api_key_id WHERE workspace_id = ?1")
      .bind(workspaceId, name)
      .run();
    await runMoves(real, async () => undefined);
  }
  pause.release();
  await held;
  await until(workspaceId, "emptying");
  await expectSameRows(workspaceId);
  expect(log.failure).toHaveBeenCalledWith(
    expect.objectContaining({ event: "move_failed" }),
    expect.anything(),
  );
});

it("a paused copy attempt is refused after a later one", async () => {
  const workspaceId = await askForMove(2);
  await runMoves(real, async () => undefined);
  const move = await latestMove.first(env.DB, { workspaceId });
  if (move === null) throw new Error("no move");
  const attempt = () => new MoveRun(real, async () => undefined, move, { left: 1_000 });
  await attempt().admit(clock.now() + 2);
  await expect(attempt().admit(clock.now() + 1)).rejects.toThrow("a later attempt");
  // The later attempt continues and finishes the move.
  passMinute();
  await until(workspaceId, "emptying");
  await expectSameRows(workspaceId);
});

it("a changed row that is missing from the log is found by counting both sides", async () => {
  const workspaceId = await askForMove(3);
  // Three runs, until both passes are done, because a run sends at most two hundred statements.
  for (let run = 0; run < 3; run += 1) await runMoves(real, async () => undefined);
  expect(await phaseOf(workspaceId)).toBe("copying");
  await SOURCE.batch([
    SOURCE.prepare(
      "DELETE FROM idempotency_keys WHERE rowid = (SELECT min(rowid) FROM idempotency_keys WHERE workspace_id = ?1)",
    ).bind(workspaceId),
    SOURCE.prepare("DELETE FROM workspace_changes WHERE workspace_id = ?1").bind(workspaceId),
  ]);
  await until(workspaceId, "emptying");
  await expectSameRows(workspaceId);
  expect(log.failure).toHaveBeenCalledWith(
    expect.objectContaining({ event: "move_counts_differ", workspaceId }),
  );
});

it("many changes are copied in pages, including deletions with their dependents", async () => {
  const workspaceId = await askForMove(4);
  await runMoves(real, async () => undefined);
  const run = (sql: string) => SOURCE.prepare(sql).bind(workspaceId);
  const touch = run("UPDATE api_keys SET name = name || '!' WHERE workspace_id = ?1");
  await SOURCE.batch([
    run("UPDATE destinations SET settings = 'first' WHERE workspace_id = ?1"),
    ...Array.from({ length: 300 }, () => touch),
    run(
      "DELETE FROM delivery_files WHERE delivery_id IN (SELECT delivery_id FROM deliveries WHERE workspace_id = ?1)",
    ),
    run("DELETE FROM deliveries WHERE workspace_id = ?1"),
    run("DELETE FROM destinations WHERE workspace_id = ?1"),
  ]);
  await until(workspaceId, "emptying");
  await expectSameRows(workspaceId);
  expect(log.failure).not.toHaveBeenCalled();
});

it("an abandoned move leaves no log, and the workspace in place", async () => {
  const workspaceId = await askForMove(2);
  await runMoves(real, async () => undefined);
  await SOURCE.prepare("UPDATE jobs SET failure_message = 'later' WHERE workspace_id = ?1")
    .bind(workspaceId)
    .run();
  const before = await wholeWorkspace(SOURCE, workspaceId);
  await env.DB.prepare("UPDATE workspace_moves SET failures = 30 WHERE workspace_id = ?1")
    .bind(workspaceId)
    .run();
  await until(workspaceId, "undone");
  expect(await noted(SOURCE, workspaceId)).toEqual([]);
  expect(await wholeWorkspace(SOURCE, workspaceId)).toEqual(before);
});
