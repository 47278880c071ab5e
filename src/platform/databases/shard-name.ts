/**
 * Shards: databases on which workspaces live whole. Each is a binding of the worker, `DB_00` to `DB_63`, and is named by
 * its two digits, which stand in the keys, queue messages and links of its workspaces.
 */

type Tens = "0" | "1" | "2" | "3" | "4" | "5";
type Units = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

/** `00` to `63`. */
export type ShardName = `${Tens}${Units}` | "60" | "61" | "62" | "63";

/** The database that all share, as `home` names it beside the shards. */
export const DIRECTORY = "DB";

/** Where a workspace lives. */
export type Home = typeof DIRECTORY | ShardName;

export const SHARDS_MAX = 64;

const SHARD_NAME = /^(?:[0-5][0-9]|6[0-3])$/;

export const isShardName = (text: string): text is ShardName => SHARD_NAME.test(text);

/** A column `home`. Throws for what no migration or move has written there. */
export function readHome(stored: string): Home {
  if (stored === DIRECTORY || isShardName(stored)) return stored;
  throw new Error("a workspace whose home is no database");
}

/** What the column `home` of the directory has of a workspace that lives there: null for `DB` itself. */
export const entryHome = (home: Home): ShardName | null => (home === DIRECTORY ? null : home);

/** All names, in order. */
export const SHARD_NAMES: readonly ShardName[] = Array.from({ length: SHARDS_MAX }, (_, index) =>
  String(index).padStart(2, "0"),
).filter(isShardName);

/** The binding of a shard. */
export const bindingOf = (shard: ShardName): `DB_${ShardName}` => `DB_${shard}`;

/** Whether a binding is a shard's. */
export const isShardBinding = (binding: string): boolean =>
  binding.startsWith("DB_") && isShardName(binding.slice("DB_".length));
