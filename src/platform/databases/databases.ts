import { bindingOf, DIRECTORY, type Home, SHARD_NAMES, type ShardName } from "./shard-name.ts";

/** The bindings of the shards. */
export type ShardBindings = { readonly [Name in ShardName as `DB_${Name}`]?: D1Database };

/** The databases of this origin. */
export interface Databases {
  /** `DB`: accounts, sessions, trial claims, the directory, and workspaces on no shard. */
  readonly directory: D1Database;
  /** The bound shards, ordered by name. Empty if everything is in `directory`. */
  readonly shards: ReadonlyMap<ShardName, D1Database>;
}

export interface NamedDatabase {
  readonly home: Home;
  readonly db: D1Database;
}

/** The bound databases; null if `DB` is not bound, because no shard replaces it. */
export function readDatabases(env: ShardBindings & { readonly DB?: D1Database }): Databases | null {
  if (!env.DB) return null;
  const bound = SHARD_NAMES.flatMap((shard): readonly (readonly [ShardName, D1Database])[] => {
    const db = env[bindingOf(shard)];
    return db === undefined ? [] : [[shard, db]];
  });
  return { directory: env.DB, shards: new Map(bound) };
}

/** The database with this name; null if it is not bound. */
export const databaseOf = ({ directory, shards }: Databases, home: Home): D1Database | null =>
  home === DIRECTORY ? directory : (shards.get(home) ?? null);

/** All databases: `DB`, then the shards by name. */
export const everyDatabase = ({ directory, shards }: Databases): readonly NamedDatabase[] => [
  { home: DIRECTORY, db: directory },
  ...[...shards].map(([home, db]) => ({ home, db })),
];
