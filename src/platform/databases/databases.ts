import { bindingOf, DIRECTORY, type Home, SHARD_NAMES, type ShardName } from "./shard-name.ts";

/** The bindings of the shards. */
export type ShardBindings = { readonly [Name in ShardName as `DB_${Name}`]?: D1Database };

/** The databases of this origin. */
export interface Databases {
  /** `DB`: accounts, sessions, trial claims, which workspace lives where, and the workspaces that live on no shard. */
  readonly directory: D1Database;
  /** Those that are bound, in the order of their names. None, where all is in `directory`. */
  readonly shards: ReadonlyMap<ShardName, D1Database>;
}

/** A database with its name. */
export interface NamedDatabase {
  readonly home: Home;
  readonly db: D1Database;
}

/** The databases that are bound; null without `DB`, which no shard replaces. */
export function readDatabases(env: ShardBindings & { readonly DB?: D1Database }): Databases | null {
  if (!env.DB) return null;
  const bound = SHARD_NAMES.flatMap((shard): readonly (readonly [ShardName, D1Database])[] => {
    const db = env[bindingOf(shard)];
    return db === undefined ? [] : [[shard, db]];
  });
  return { directory: env.DB, shards: new Map(bound) };
}

/** The database of that name; null where it is not bound. */
export const databaseOf = ({ directory, shards }: Databases, home: Home): D1Database | null =>
  home === DIRECTORY ? directory : (shards.get(home) ?? null);

/** All databases, `DB` first and then the shards in the order of their names. */
export const everyDatabase = ({ directory, shards }: Databases): readonly NamedDatabase[] => [
  { home: DIRECTORY, db: directory },
  ...[...shards].map(([home, db]) => ({ home, db })),
];
