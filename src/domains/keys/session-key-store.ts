import { and, desc, eq, isNotNull, lte, notInArray, sql } from "drizzle-orm";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { accountSessions, apiKeys, workspaceMembers } from "#platform/db/schema/index.ts";
import { type Given, matches, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import type { NewKey } from "./store.ts";

/** A key that becomes invalid when its session ends or its user loses the role. */
export interface NewSessionKey extends NewKey {
  readonly sessionId: string;
  readonly sessionRole: "owner" | "member";
}

/** Inserts a key while its session exists; changes no row otherwise. */
export const insertSessionKey = statement((given: Given<NewSessionKey>) =>
  query.insert(apiKeys).selecting(
    {
      ...pick(given, "apiKeyId", "workspaceId", "name", "prefix", "secretHash"),
      ...pick(given, "scopes", "createdAt", "expiresAt", "sessionRole"),
      sessionId: accountSessions.sessionId,
    },
    sql`from ${accountSessions} where ${accountSessions.sessionId} = ${given.sessionId}`,
  ),
);

/**
 * Mirrors a session on a shard until it expires. Its token is a placeholder, because tokens are only looked up in `DB`.
 */
export const insertMirroredSession = statement(
  (given: Given<{ sessionId: string; accountId: string; nowMs: number; sessionExpiresAtMs: number }>) =>
    query
      .insert(accountSessions)
      .values({
        ...pick(given, "sessionId", "accountId"),
        token: sql`'mirror of ' || ${given.sessionId}`,
        createdAt: given.nowMs,
        updatedAt: given.nowMs,
        expiresAt: given.sessionExpiresAtMs,
      })
      .onConflictDoUpdate({
        target: accountSessions.sessionId,
        set: { expiresAt: sql`excluded.expires_at` },
      }),
);

/**
 * The user of a session, or the user who connected an agent. No row unless the user is a member of the workspace with
 * that role. Read from `DB`, not from a mirror.
 */
export const holderOfKey = statement(
  (
    given: Given<{
      sessionId: string | null;
      agentAccountId: string | null;
      workspaceId: string;
      sessionRole: string | null;
    }>,
  ) =>
    query
      .read(workspaceMembers, { accountId: workspaceMembers.accountId })
      .leftJoin(accountSessions, eq(accountSessions.sessionId, given.sessionId))
      .where(
        and(
          eq(
            workspaceMembers.accountId,
            sql`coalesce(${accountSessions.accountId}, ${given.agentAccountId})`,
          ),
          eq(workspaceMembers.workspaceId, given.workspaceId),
          eq(workspaceMembers.role, given.sessionRole),
        ),
      ),
);

/** Deletes a session's keys of a workspace except the newest `kept`. */
export const deleteReplacedKeys = statement(
  (given: Given<{ sessionId: string; workspaceId: string; kept: number }>) => {
    const isOfSession = matches(apiKeys, pick(given, "sessionId", "workspaceId"));
    const newest = query
      .from(apiKeys, "apiKeyId")
      .where(isOfSession)
      .orderBy(desc(apiKeys.apiKeyId))
      .limit(given.kept);
    return query.delete(apiKeys).where(and(isOfSession, notInArray(apiKeys.apiKeyId, newest)));
  },
);

export const deleteExpiredSessionKeys = statement((given: Given<{ nowMs: number; limit: number }>) => {
  const hasExpired = and(
    isNotNull(apiKeys.sessionId),
    lte(apiKeys.expiresAt, given.nowMs),
    isNotMoving(apiKeys.workspaceId),
  );
  return query.deleteFirst(apiKeys, apiKeys.apiKeyId, hasExpired, apiKeys.expiresAt, given.limit);
});
