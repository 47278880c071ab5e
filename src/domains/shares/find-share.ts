import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { homeOfShare } from "#platform/databases/directory-store.ts";
import { findObject, type Located } from "#platform/databases/find-object.ts";
import type { Home } from "#platform/databases/shard-name.ts";
import { latest } from "#platform/db/reader.ts";

/**
 * Where the workspace of a share lives that was made in a database; null where no database has the share. That database
 * answers for a workspace that still lives there, and the directory for one that has moved.
 */
export async function findShare(
  databases: Databases,
  madeAt: Home,
  shareId: string,
): Promise<Located | null> {
  const find = (db: D1Database) => homeOfShare.first(latest(db), { shareId });
  const db = databaseOf(databases, madeAt);
  const made = db === null ? null : await find(db);
  if (made !== null && made.home === null) return { workspaceId: made.workspaceId, home: madeAt };
  const given = { objectIds: [shareId], ...(made === null ? {} : { workspaceId: made.workspaceId }) };
  return findObject(databases, given, async (shard) => {
    const found = await find(shard);
    return found?.home === null ? { workspaceId: found.workspaceId } : null;
  });
}
