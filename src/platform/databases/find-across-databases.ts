import { inGroups } from "../concurrency/in-groups.ts";
import { latest } from "../db/reader.ts";
import type { Databases } from "./databases.ts";
import { allShardStates, workspaceOfObject } from "./directory-store.ts";
import { DIRECTORY, type Home, readHome } from "./shard-name.ts";

/** A workspace and its home. */
export interface Located {
  readonly home: Home;
  readonly workspaceId: string;
}

/** Looks up an object's workspace in one database. */
type Ask = (db: D1Database) => Promise<{ readonly workspaceId: string } | null>;

/**
 * Finds the workspace of an id or object with one query of the directory; null if unknown. A shard whose objects are
 * not all listed yet (`recordShard`) is queried directly.
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
