import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type Capabilities, readCapabilities } from "../../src/bindings/capabilities.ts";
import { capabilitiesAt } from "../../src/bindings/capabilities-at.ts";
import type { Home } from "../../src/databases/shard-name.ts";
import { configured, type Settings } from "./workspace.ts";

/** Four shards beside the worker's own database: for tests that bind them. */

const shards = {
  DB_00: env.TEST_SHARD_00,
  DB_01: env.TEST_SHARD_01,
  DB_02: env.TEST_SHARD_02,
  DB_03: env.TEST_SHARD_03,
} satisfies Settings;

/** The settings of a worker with four migrated shards, besides its own. */
export async function withShards(): Promise<typeof shards> {
  for (const shard of Object.values(shards)) await applyD1Migrations(shard, env.TEST_MIGRATIONS);
  return shards;
}

/** The capabilities of such a worker for the work on one database. */
export function shardedCapabilities(home: Home, changes: Settings = {}): Capabilities {
  const made = capabilitiesAt(readCapabilities(configured({ ...shards, ...changes })), home);
  if (made === null) throw new Error(`no database ${home}`);
  return made;
}
