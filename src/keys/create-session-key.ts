import { accept, type Outcome, refuse } from "../api/errors.ts";
import { LIMITS } from "../api/limits.ts";
import type { Scope } from "../api/scopes.ts";
import { makeKey, type ShownKey } from "./create-key.ts";
import type { KeyDatabase } from "./service.ts";
import { deleteReplacedKeys, insertSessionKey } from "./session-key-store.ts";

/** A person's session in a workspace, for which a page asks a key. Times are Unix milliseconds. */
export interface KeyHolder {
  readonly sessionId: string;
  readonly sessionExpiresAtMs: number;
  readonly workspaceId: string;
  readonly role: "owner" | "member";
  readonly scopes: readonly Scope[];
}

/** What tells such a key apart in the database; it is in no list. */
const NAME = "Session";

/**
 * Makes the key of a session: an hour long, no longer than the session, with the scopes of the role. It stands beside at
 * most four of the same session and workspace, as other pages of the session have them; the oldest is deleted. `guards`
 * fail the batch for a person who has left. SESSION_INVALID where the session ended meanwhile.
 */
export async function createSessionKey(
  database: KeyDatabase,
  { sessionId, sessionExpiresAtMs, workspaceId, role, scopes }: KeyHolder,
  guards: readonly D1PreparedStatement[],
  nowMs: number,
): Promise<Outcome<ShownKey>> {
  const expiresAt = Math.min(nowMs + LIMITS.sessionKeyLifetimeMs, sessionExpiresAtMs);
  const plan = { workspaceId, name: NAME, kind: "live" as const, scopes, expiresAt, nowMs };
  const { db } = database;
  const { apiKey, secret, record } = await makeKey(database, plan);
  const results = await db.batch([
    ...guards,
    insertSessionKey.bind(db, { ...record, sessionId, sessionRole: role }),
    deleteReplacedKeys.bind(db, { sessionId, workspaceId, kept: LIMITS.keysPerSessionMax }),
  ]);
  if (results[guards.length]?.meta.changes !== 1) {
    return refuse("SESSION_INVALID", "The session has ended.");
  }
  return accept({ apiKey, secret });
}
