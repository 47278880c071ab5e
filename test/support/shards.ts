import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createWorkspace as createThroughService } from "#domains/workspaces/create-workspace.ts";
import { type Databases, readDatabases } from "#platform/databases/databases.ts";
import type { ShardName } from "#platform/databases/shard-name.ts";
import { configured, keyDatabase, type Settings, type TestWorkspace } from "./workspace.ts";

/** Four shards beside the worker's database, for tests that bind them. */

const shards = {
  DB_00: env.TEST_SHARD_00,
  DB_01: env.TEST_SHARD_01,
  DB_02: env.TEST_SHARD_02,
  DB_03: env.TEST_SHARD_03,
} satisfies Settings;

/** Settings of a worker with four migrated shards. */
export async function withShards(): Promise<typeof shards> {
  for (const shard of Object.values(shards)) await applyD1Migrations(shard, env.TEST_MIGRATIONS);
  return shards;
}

/** The databases of a worker with these settings. */
export function databasesOf(settings: Settings): Databases {
  const databases = readDatabases(configured(settings));
  if (databases === null) throw new Error("no databases");
  return databases;
}

type TestShard = Extract<ShardName, "00" | "01" | "02" | "03">;

export const shardDatabase = (shard: TestShard): D1Database => shards[`DB_${shard}`];

/** A workspace with credits and a key on a shard, and its directory entry. */
export async function createWorkspaceOn(shard: TestShard, credits = 0): Promise<TestWorkspace> {
  const database = { keyPepper: keyDatabase().keyPepper, db: shardDatabase(shard), home: shard };
  const plan = { name: "Test", credits, subscription: null, hasUnlimitedAccess: false };
  const created = await createThroughService(database, plan, Date.now());
  const { workspaceId, secret } = created;
  await env.DB.prepare(
    "insert into workspaces (workspace_id, name, kind, created_at, home) values (?1, 'Test', 'standard', ?2, ?3)",
  )
    .bind(workspaceId, Date.now(), shard)
    .run();
  return { workspaceId, secret, apiKeyId: created.apiKey.apiKeyId };
}

/** Copies some rows of a workspace to another shard, and leaves a forwarder. */
export async function copyRowsToShard(workspaceId: string, from: TestShard, to: TestShard): Promise<void> {
  const [source, target] = [shardDatabase(from), shardDatabase(to)];
  const rowsOf = async (table: string) =>
    (await source.prepare(`select * from ${table} where workspace_id = ?1`).bind(workspaceId).all()).results;
  const inserts: D1PreparedStatement[] = [];
  for (const table of ["workspaces", "api_keys"]) {
    for (const row of await rowsOf(table)) {
      const names = Object.keys(row);
      const places = names.map((_, at) => `?${at + 1}`);
      const sql = `insert into ${table} (${names.join()}) values (${places.join()})`;
      inserts.push(target.prepare(sql).bind(...Object.values(row)));
    }
  }
  const mark = target.prepare("insert into workspace_copies values (?1)").bind(workspaceId);
  const unmark = target.prepare("delete from workspace_copies");
  await target.batch([mark, ...inserts, unmark]);
  await source.prepare("update workspaces set home = ?2 where workspace_id = ?1").bind(workspaceId, to).run();
}

/** The databases of a worker with four shards. */
export const shardedDatabases = () => ({
  directory: env.DB,
  shards: new Map([
    ["00", env.TEST_SHARD_00],
    ["01", env.TEST_SHARD_01],
    ["02", env.TEST_SHARD_02],
    ["03", env.TEST_SHARD_03],
  ] as const),
});
