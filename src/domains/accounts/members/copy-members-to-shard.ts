import { LIMITS } from "#api/limits.ts";
import { pauseDestinationStatements } from "#domains/deliveries/destination-store.ts";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { beginRow, endCopying } from "#platform/databases/move-store.ts";
import { readHome } from "#platform/databases/shard-name.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { latest } from "#platform/db/reader.ts";
import { log } from "#platform/log/log.ts";
import {
  assertMirroredRevision,
  clearReassignedAddresses,
  deleteMirroredMembers,
  directoryEntry,
  entriesToMirror,
  insertMirroredWorkspace,
  markMirrored,
  mirroredMembers,
  peopleOfWorkspace,
  setMirroredName,
  setMirroredRevision,
  upsertMirroredAccounts,
  upsertMirroredMembers,
} from "./member-mirror-store.ts";

/**
 * Copies a workspace's members and name from `DB` to its shard, and creates the workspace there if missing. The same
 * batch pauses the destinations of removed members. May be repeated or run concurrently: older data never replaces
 * newer. Does nothing for a workspace whose database is `DB`. Throws when the shard is not bound or unavailable; the
 * directory then still marks it as behind.
 */
export async function mirrorPeople(databases: Databases, workspaceId: string, nowMs: number): Promise<void> {
  const session = latest(databases.directory);
  const max = LIMITS.membersPerWorkspaceMax;
  // One batch, so that the members match the revision.
  const results = await session.batch([
    directoryEntry.bind(session, { workspaceId }),
    peopleOfWorkspace.bind(session, { workspaceId, limit: max }),
  ]);
  const entry = directoryEntry.row(results[0]);
  if (entry === null || entry.home === null) return;
  const shard = databaseOf(databases, readHome(entry.home));
  if (shard === null) throw new Error(`no database ${entry.home} is bound`);
  const people = peopleOfWorkspace.rows(results[1]);
  const stay = new Set(people.map(({ accountId }) => accountId));
  const before = await mirroredMembers.all(latest(shard), { workspaceId, limit: max });
  const left = before.map(({ accountId }) => accountId).filter((accountId) => !stay.has(accountId));
  const revision = entry.peopleRevision;
  const written = { workspaceId, people: JSON.stringify(people), nowMs };
  try {
    await shard.batch([
      insertMirroredWorkspace.bind(shard, entry),
      setMirroredRevision.bind(shard, { workspaceId, revision }),
      assertMirroredRevision.bind(shard, { workspaceId, revision }),
      clearReassignedAddresses.bind(shard, written),
      upsertMirroredAccounts.bind(shard, written),
      // Must run before `deleteMirroredMembers`, because the statements pause only the destinations of members.
      ...left.flatMap((accountId) => pauseDestinationStatements(shard, workspaceId, accountId, nowMs)),
      deleteMirroredMembers.bind(shard, written),
      upsertMirroredMembers.bind(shard, written),
      beginRow.bind(shard, { workspaceId }),
      setMirroredName.bind(shard, entry),
      endCopying.bind(shard, {}),
    ]);
  } catch (thrown) {
    // A concurrent call copied newer members and marks the entry as mirrored.
    if (isGuardViolation(thrown, "membership_active")) return;
    throw thrown;
  }
  await markMirrored.run(databases.directory, { workspaceId, revision, home: entry.home });
}

/**
 * Updates at most `limit` workspaces whose shards are behind; returns how many succeeded. Failures are logged. Starts
 * with the workspace `first`, and stops once `mayContinue` returns false. Reads nothing when there are no shards.
 */
export async function mirrorChangedPeople(
  databases: Databases,
  nowMs: number,
  limit: number,
  { first = null, mayContinue = () => true }: { first?: string | null; mayContinue?: () => boolean } = {},
): Promise<number> {
  if (databases.shards.size === 0) return 0;
  let count = 0;
  for (const { workspaceId } of await entriesToMirror.all(latest(databases.directory), { first, limit })) {
    if (!mayContinue()) break;
    try {
      await mirrorPeople(databases, workspaceId, nowMs);
      count += 1;
    } catch (thrown) {
      log.failure({ event: "people_not_mirrored", workspaceId }, thrown);
    }
  }
  return count;
}
