import type { Databases } from "./databases.ts";
import {
  allShardStates,
  insertObjects,
  objectsPage,
  saveShardState,
  workspacesAfter,
} from "./directory-store.ts";
import type { ShardName } from "./shard-name.ts";

/** Records objects in the directory, so that requests need not query every database. */

const OBJECTS_PER_PAGE = 2_000;
/** Number of workspaces whose objects one sweep of a shard lists. Most of them need two queries. */
const WORKSPACES_PER_SWEEP = 100;

/** Lists the payments and share links of a workspace that is, or was, in `db`. May be repeated. */
export async function listObjects(directory: D1Database, db: D1Database, workspaceId: string): Promise<void> {
  for (let from = "", isLast = false; !isLast; ) {
    const page = await objectsPage.all(db, { workspaceId, from, limit: OBJECTS_PER_PAGE });
    const objectIds = JSON.stringify(page.map(({ objectId }) => objectId));
    if (page.length > 0) await insertObjects.run(directory, { workspaceId, objectIds });
    isLast = page.length < OBJECTS_PER_PAGE;
    from = page.at(-1)?.objectId ?? from;
  }
}

/**
 * Records a shard's size, and lists objects that are older than the directory's list, for a hundred workspaces at a
 * time. Returns the number of these workspaces.
 */
export async function recordShard(
  { directory, shards }: Databases,
  home: ShardName,
  measuredAt: number,
): Promise<number> {
  const db = shards.get(home);
  if (db === undefined) throw new Error(`no shard ${home} is bound`);
  const state = (await allShardStates.all(directory, {})).find((one) => one.home === home);
  const after = state === undefined ? "" : state.listedUpTo;
  const limit = WORKSPACES_PER_SWEEP;
  const unlisted = after === null ? [] : await workspacesAfter.all(db, { after, limit });
  for (const { workspaceId } of unlisted) await listObjects(directory, db, workspaceId);
  // Each query returns the database's size: developers.cloudflare.com/d1/worker-api/return-object.
  const { meta } = await db.prepare("select 1").all();
  const listedUpTo = unlisted.length < limit ? null : (unlisted.at(-1)?.workspaceId ?? null);
  await saveShardState.run(directory, { home, bytes: meta.size_after, measuredAt, listedUpTo });
  return unlisted.length;
}
