import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { Scope } from "#api/scopes.ts";
import { DIRECTORY } from "#platform/databases/shard-name.ts";
import { makeKey, type ShownKey } from "./create-key.ts";
import type { KeyDatabase } from "./service.ts";
import { deleteReplacedKeys, insertMirroredSession, insertSessionKey } from "./session-key-store.ts";

/** A user's session in a workspace, for which a page requests a key. Times are Unix milliseconds. */
export interface KeyHolder {
  readonly accountId: string;
  readonly sessionId: string;
  readonly sessionExpiresAtMs: number;
  readonly workspaceId: string;
  readonly role: "owner" | "member";
  readonly scopes: readonly Scope[];
}

/** Marks session keys in the database; lists leave them out. */
const NAME = "Session";

/**
 * Creates the key of a session, with the scopes of the role. It lives for an hour, but never longer than the session. A
 * session keeps its newest keys of a workspace (`keysPerSessionMax`), one for each open page; older ones are deleted.
 * `guards` fail the batch for a user who has left. SESSION_INVALID when the session ended meanwhile.
 */
export async function createSessionKey(
  database: KeyDatabase,
  { accountId, sessionId, sessionExpiresAtMs, workspaceId, role, scopes }: KeyHolder,
  guards: readonly D1PreparedStatement[],
  nowMs: number,
): Promise<Outcome<ShownKey>> {
  const expiresAt = Math.min(nowMs + LIMITS.sessionKeyLifetimeMs, sessionExpiresAtMs);
  const plan = { workspaceId, name: NAME, kind: "live" as const, scopes, expiresAt, nowMs };
  const { db } = database;
  const { apiKey, secret, record } = await makeKey(database, plan);
  const isOnShard = database.home !== undefined && database.home !== DIRECTORY;
  const mirrored = { sessionId, accountId, nowMs, sessionExpiresAtMs };
  const results = await db.batch([
    ...guards,
    // The shard's guards look for the session on the shard. Each request reads from `DB` whether the session is still
    // valid.
    ...(isOnShard ? [insertMirroredSession.bind(db, mirrored)] : []),
    insertSessionKey.bind(db, { ...record, sessionId, sessionRole: role }),
    deleteReplacedKeys.bind(db, { sessionId, workspaceId, kept: LIMITS.keysPerSessionMax }),
  ]);
  if ((results.at(-2)?.meta.changes ?? 0) === 0) {
    return refuse("SESSION_INVALID", "The session has ended.");
  }
  return accept({ apiKey, secret });
}
