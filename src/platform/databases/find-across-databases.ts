import { inGroups } from "../concurrency/in-groups.ts";
import { latest } from "../db/reader.ts";
import type { Databases } from "./databases.ts";
import { allShardStates, workspaceOfObject } from "./directory-store.ts";
import { DIRECTORY, type Home, readHome } from "./shard-name.ts";

/** A workspace, and where it lives. */
export interface Located {
  readonly home: Home;
  readonly workspaceId: string;
}

/** Asks one database for the workspace of an object that it has. */
type Ask = (db: D1Database) => Promise<{ readonly workspaceId: string } | null>;

/**
 * The workspace of an id or of an object, as the directory has it, in one query. Null where it has none. Until a shard's
 * objects are all listed (`recordShard`) it is asked itself.
 */
export async function findObject(
  { directory, shards }: Databases,
  {
    workspaceId = null,
    objectIds,
  }: { readonly workspaceId?: string | null; readonly objectIds: readonly string[] },
  ask: Ask,
): Promise<Located | null> {
  const db = latest(directory);
  const given = { workspaceId, objectIds: JSON.stringify(objectIds) };
  const [known, stored] = await db.batch([workspaceOfObject.bind(db, given), allShardStates.bind(db, {})]);
  const found = workspaceOfObject.row(known);
  if (found !== null) return { ...found, home: readHome(found.home ?? DIRECTORY) };
  const listed = new Set(
    allShardStates.rows(stored).flatMap(({ home, listedUpTo }) => (listedUpTo === null ? [home] : [])),
  );
  const unlisted = [...shards].filter(([home]) => !listed.has(home));
  const asked = await inGroups(unlisted, async ([home, shard]) => {
    const row = await ask(shard);
    return row === null ? null : { ...row, home };
  });
  return asked.find((one) => one !== null) ?? null;
}
