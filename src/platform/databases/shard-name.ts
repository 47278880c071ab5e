/**
 * Shards: databases that contain whole workspaces. Each is a binding of the worker, `DB_00` to `DB_63`. Its two digits
 * are part of its workspaces' keys, queue messages and links.
 */

type Tens = "0" | "1" | "2" | "3" | "4" | "5";
type Units = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

/** `00` to `63`. */
export type ShardName = `${Tens}${Units}` | "60" | "61" | "62" | "63";

/** The shared database, as a value of `home`. */
export const DIRECTORY = "DB";

/** The database of a workspace. */
export type Home = typeof DIRECTORY | ShardName;

export const SHARDS_MAX = 64;

const SHARD_NAME = /^(?:[0-5][0-9]|6[0-3])$/;

export const isShardName = (text: string): text is ShardName => SHARD_NAME.test(text);

/** Parses a column `home`; throws for an invalid value. */
export function readHome(stored: string): Home {
  if (stored === DIRECTORY || isShardName(stored)) return stored;
  throw new Error("a workspace whose home is no database");
}

/** The value of `home` in the directory's entry: null for `DB`. */
export const entryHome = (home: Home): ShardName | null => (home === DIRECTORY ? null : home);

/** All shard names in order. */
export const SHARD_NAMES: readonly ShardName[] = Array.from({ length: SHARDS_MAX }, (_, index) =>
  String(index).padStart(2, "0"),
).filter(isShardName);

export const bindingOf = (shard: ShardName): `DB_${ShardName}` => `DB_${shard}`;

export const isShardBinding = (binding: string): boolean =>
  binding.startsWith("DB_") && isShardName(binding.slice("DB_".length));
