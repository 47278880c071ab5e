import { inGroups } from "#platform/concurrency/in-groups.ts";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { readHome } from "#platform/databases/shard-name.ts";
import { latest } from "#platform/db/reader.ts";
import { log } from "#platform/log/log.ts";
import {
  deleteMirroredSessions,
  mirroredSessions,
  shardsOfAccount,
  standingSessions,
} from "./people-store.ts";

/**
 * Ends on the shards of an account's workspaces what they mirror of its sessions that have ended in `DB`. Called after a
 * session has ended and before that is answered: a write that was under way by then is refused by its own batch, wherever
 * it writes. A shard that does not answer is logged; new requests are refused there as well, as they read `DB`.
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

/** Only those that are there and have ended: one that begins meanwhile is kept. */
async function endOnShard(directory: D1Database, shard: D1Database, accountId: string): Promise<void> {
  const mirrored = await mirroredSessions.all(latest(shard), { accountId });
  if (mirrored.length === 0) return;
  const asked = JSON.stringify(mirrored.map(({ sessionId }) => sessionId));
  const standing = new Set(
    (await standingSessions.all(latest(directory), { sessionIds: asked })).map(({ sessionId }) => sessionId),
  );
  const ended = mirrored.map(({ sessionId }) => sessionId).filter((sessionId) => !standing.has(sessionId));
  if (ended.length > 0) await deleteMirroredSessions.run(shard, { sessionIds: JSON.stringify(ended) });
}
