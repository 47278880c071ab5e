import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertObjects } from "#platform/databases/directory-store.ts";
import { findObject } from "#platform/databases/find-across-databases.ts";
import { recordShard } from "#platform/databases/list-objects.ts";
import { migrateLocal } from "../../local/migrate.ts";
import { configWithShards } from "../../local/shards.ts";
import { openDatabase } from "../workspace/open-database.ts";
import { expectSame } from "./steps.ts";

const WORKSPACE = "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71";
const PAYMENT = "pi_drill";

/**
 * Rehearses a restore of `DB` alone. The restore loses newer entries of the directory, such as that of a payment on a
 * shard. Until the operator empties `shard_states`, the directory counts as complete, and the payment is not found.
 * After that, lookups also query the shard, and the next sweep adds the entry again.
 */
export async function directoryFound(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "creative-packs-drill-"));
  const configPath = await configWithShards(1);
  await migrateLocal(folder, configPath);
  const target = { isRemote: false, stateFolder: folder, configPath, envFile: null };
  const { db, databases, close } = await openDatabase(target);
  try {
    const shard = databases.shards.get("00");
    if (shard === undefined) throw new Error("no shard is bound");
    const insert =
      "INSERT INTO workspaces (workspace_id, name, kind, created_at, home) VALUES (?1, 'x', 'standard', 1, ?2)";
    await db.prepare(insert).bind(WORKSPACE, "00").run();
    await shard.prepare(insert).bind(WORKSPACE, null).run();
    for (let run = 0; run < 2; run += 1) await recordShard(databases, "00", run);
    await shard
      .prepare(
        `INSERT INTO payments (payment_id, workspace_id, kind, offer_id, amount, currency, credits, credits_held, credits_owed,
           amount_refunded, amount_disputed, paid_at, created_at, intent_id) VALUES (?1, ?2, 'credits', 'x', 1, 'eur', 0, 0, 0, 0, 0, 1, 1, ?1)`,
      )
      .bind(PAYMENT, WORKSPACE)
      .run();
    await insertObjects.run(db, { workspaceId: WORKSPACE, objectIds: JSON.stringify([PAYMENT]) });
    const find = async () =>
      (
        await findObject(databases, { objectIds: [PAYMENT] }, async (asked) =>
          asked
            .prepare("SELECT workspace_id AS workspaceId FROM payments WHERE payment_id = ?1")
            .bind(PAYMENT)
            .first<{ workspaceId: string }>(),
        )
      )?.home ?? null;
    expectSame("before", await find(), "00");
    // Simulates the restore, which loses the newer rows of this table.
    await db.exec("DELETE FROM workspace_objects");
    expectSame("after the restore", await find(), null);
    await db.exec("DELETE FROM shard_states");
    expectSame("with the states emptied", await find(), "00");
    await recordShard(databases, "00", 3);
    expectSame("listed again", (await db.prepare("SELECT object_id FROM workspace_objects").all()).results, [
      { object_id: PAYMENT },
    ]);
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}
