import { inGroups } from "#platform/concurrency/in-groups.ts";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { readHome } from "#platform/databases/shard-name.ts";
import { latest } from "#platform/db/reader.ts";
import { log } from "#platform/log/log.ts";
import {
  activeSessions,
  deleteMirroredSessions,
  mirroredSessions,
  shardsOfAccount,
} from "./member-mirror-store.ts";

/**
 * Deletes an account's ended sessions from the mirrors on its workspaces' shards. Called after a session ended and
 * before the response, so that a write already in progress fails its batch. An unavailable shard is logged; new
 * requests are refused there anyway, because they read `DB`.
 */
export async function endMirroredSessions(databases: Databases, accountId: string): Promise<void> {
  const { directory, shards } = databases;
  if (shards.size === 0) return;
  const homes = await shardsOfAccount.all(latest(directory), { accountId });
  await inGroups(homes, async ({ home }) => {
    try {
      const shard = databaseOf(databases, readHome(home));
      if (shard !== null) await endOnShard(directory, shard, accountId);
    } catch (thrown) {
      log.failure({ event: "sessions_not_ended", accountId, code: home }, thrown);
    }
  });
}

/** Deletes only sessions that have ended, so that a session that starts meanwhile stays. */
async function endOnShard(directory: D1Database, shard: D1Database, accountId: string): Promise<void> {
  const mirrored = await mirroredSessions.all(latest(shard), { accountId });
  if (mirrored.length === 0) return;
  const mirroredIds = JSON.stringify(mirrored.map(({ sessionId }) => sessionId));
  const standing = new Set(
    (await activeSessions.all(latest(directory), { sessionIds: mirroredIds })).map(
      ({ sessionId }) => sessionId,
    ),
  );
  const ended = mirrored.map(({ sessionId }) => sessionId).filter((sessionId) => !standing.has(sessionId));
  if (ended.length > 0) await deleteMirroredSessions.run(shard, { sessionIds: JSON.stringify(ended) });
}
