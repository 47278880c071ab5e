import {
  and,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  lt,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { LIMITS } from "#api/limits.ts";
import type { Scope } from "#api/scopes.ts";
import { guard, isNotMoving } from "#platform/db/batch-guard.ts";
import { accountSessions, apiKeys, workspaceMembers, workspaces } from "#platform/db/schema/index.ts";
import { type Given, matches, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { auditKeysWhere, auditWhere } from "../audit/audit-store.ts";
import type { ApiKey } from "./api-key.ts";
import type { BudgetLimits } from "./budget.ts";
import { budgetAt } from "./budget-store.ts";

/**
 * True for the member who uses a key: the user of the key's session, while the session exists, or the user who
 * connected the agent. The member must have the key's role.
 */
const isHolder = and(
  eq(workspaceMembers.accountId, sql`coalesce(${accountSessions.accountId}, ${apiKeys.agentAccountId})`),
  eq(workspaceMembers.workspaceId, apiKeys.workspaceId),
  eq(workspaceMembers.role, apiKeys.sessionRole),
);

/** A key by the hash of its secret under either pepper, with the columns of its workspace that authentication needs. */
export const keyByHash = statement((given: Given<{ presentHash: string; previousHash: string | null }>) =>
  query
    .read(apiKeys, {
      ...pick(apiKeys, "apiKeyId", "workspaceId", "secretHash", "scopes", "livemode"),
      ...pick(apiKeys, "lastUsedAt", "expiresAt", "revokedAt"),
      workspaceKind: workspaces.kind,
      workspaceExpiresAt: workspaces.expiresAt,
      workspaceSuspendedAt: workspaces.suspendedAt,
      /** The database to which the workspace has moved, if any, and whether it is to be moved or being moved. */
      workspaceHome: workspaces.home,
      workspaceMovingTo: workspaces.movingTo,
      workspaceMovingSince: workspaces.movingSince,
      sessionId: apiKeys.sessionId,
      ...pick(apiKeys, "sessionRole", "agentAccountId"),
      /** For a session's or an agent's key: null once the session has ended or the user has left or changed roles. */
      holderAccountId: workspaceMembers.accountId,
    })
    .innerJoin(workspaces, eq(workspaces.workspaceId, apiKeys.workspaceId))
    .leftJoin(accountSessions, eq(accountSessions.sessionId, apiKeys.sessionId))
    .leftJoin(workspaceMembers, isHolder)
    .where(inArray(apiKeys.secretHash, [given.presentHash, given.previousHash])),
);

export type StoredKey = RowOf<typeof keyByHash>;

/** Moves a key's `last_used_at` forward. */
export const touchKey = statement((given: Given<{ apiKeyId: string; nowMs: number }>) =>
  query
    .update(apiKeys)
    .set({ lastUsedAt: given.nowMs })
    .where(
      and(
        eq(apiKeys.apiKeyId, given.apiKeyId),
        or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, given.nowMs)),
      ),
    ),
);

/** Stores the hash of a key's secret under the current pepper. */
export const rehashKey = statement((given: Given<{ apiKeyId: string; secretHash: string; nowMs: number }>) =>
  query
    .update(apiKeys)
    .set({ secretHash: given.secretHash, lastUsedAt: given.nowMs })
    .where(eq(apiKeys.apiKeyId, given.apiKeyId)),
);

/** A key to insert, with the hash of its secret. */
export interface NewKey extends Omit<ApiKey, "agentClientId" | "agentHost"> {
  readonly workspaceId: string;
  readonly secretHash: string;
}

export const newColumns = (given: Given<NewKey>) => ({
  ...pick(given, "apiKeyId", "workspaceId", "name", "prefix"),
  ...pick(
    given,
    "secretHash",
    "scopes",
    "livemode",
    "createdAt",
    "expiresAt",
    "dailyBudget",
    "monthlyBudget",
  ),
});

/** Inserts a key without a parent. */
export const insertKey = statement((given: Given<NewKey>) => query.insert(apiKeys).values(newColumns(given)));

/**
 * True for a key that belongs to neither a session nor an agent. For a session's or agent's key, true while its user is
 * a member with the key's role and, for a session's key, the session exists.
 */
const hasHolder = or(
  and(isNull(apiKeys.sessionId), isNull(apiKeys.agentAccountId)),
  exists(
    query
      .read(workspaceMembers, { one: sql`1` })
      .leftJoin(accountSessions, eq(accountSessions.sessionId, apiKeys.sessionId))
      .where(isHolder),
  ),
);

/** True while a key is not revoked, has its holder (`hasHolder`), and its workspace is not suspended. */
export const isKeyActive = (workspaceId: SQLWrapper, apiKeyId: SQLWrapper) =>
  exists(
    query
      .read(apiKeys, { one: sql`1` })
      .innerJoin(workspaces, eq(workspaces.workspaceId, apiKeys.workspaceId))
      .where(
        and(
          eq(apiKeys.workspaceId, workspaceId),
          eq(apiKeys.apiKeyId, apiKeyId),
          isNull(apiKeys.revokedAt),
          isNull(workspaces.suspendedAt),
          hasHolder,
        ),
      ),
  );

type KeyId = { readonly workspaceId: string; readonly apiKeyId: string };

/**
 * Fails its batch with `key_active` when the key was revoked or does not exist, or its workspace was suspended. For
 * writes of a request that was authenticated earlier.
 */
export const assertKeyActive = statement((given: Given<KeyId>) =>
  guard("key_active", isKeyActive(given.workspaceId, given.apiKeyId)),
);

/** Length of an id with its `/` in `ancestor_key_ids`. */
const ANCESTOR_CHARACTERS = 37;

/** Length of `ancestor_key_ids` at which a key can create no more keys. */
const ANCESTORS_MAX = LIMITS.keyGenerationsMax * ANCESTOR_CHARACTERS;

/** True for keys that were neither revoked nor expired at `nowMs`. */
const notEnded = (nowMs: SQLWrapper) =>
  and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowMs)));

/** Values that find a secret's key for a request that needs `scope`. */
interface SecretInUse {
  readonly presentHash: string;
  readonly previousHash: string | null;
  readonly scope: Scope;
  readonly nowMs: number;
}

/**
 * A column of a secret's key, for statements in the same round trip as the key's lookup (`Statement.finding`). Null
 * when the key is invalid or lacks the scope, or when its workspace is suspended, expired or in another database.
 */
const ofSecret = (member: SQLiteColumn, given: Given<SecretInUse>): SQL =>
  sql`${query
    .read(apiKeys, { member })
    .innerJoin(workspaces, eq(workspaces.workspaceId, apiKeys.workspaceId))
    .where(
      and(
        inArray(apiKeys.secretHash, [given.presentHash, given.previousHash]),
        notEnded(given.nowMs),
        hasHolder,
        isNull(workspaces.suspendedAt),
        or(isNull(workspaces.expiresAt), gt(workspaces.expiresAt, given.nowMs)),
        isNull(workspaces.home),
        sql`exists (select 1 from json_each(${apiKeys.scopes}) where value = ${given.scope})`,
      ),
    )}`;

export const workspaceOfSecret = (given: Given<SecretInUse>) => ({
  workspaceId: ofSecret(apiKeys.workspaceId, given),
});

export const keyOfSecret = (given: Given<SecretInUse>) => ({
  ...workspaceOfSecret(given),
  apiKeyId: ofSecret(apiKeys.apiKeyId, given),
});

/** A key with a budget creates no keys, as they could spend more. */
const hasBudget = sql`(${apiKeys.dailyBudget} is not null or ${apiKeys.monthlyBudget} is not null)`;

/**
 * Inserts a key while the workspace has fewer active ones than allowed, and the parent is not revoked, not at the
 * chain's maximum depth and without a budget; changes no row otherwise. The write checks all of this, so that
 * concurrent requests cannot bypass it. Without a parent the workspace's owner is the creator; that role cannot be
 * revoked.
 */
export const insertKeyWithinLimits = statement((given: Given<NewKey>) => {
  const ownKeys = eq(apiKeys.workspaceId, given.workspaceId);
  const parent = eq(apiKeys.apiKeyId, given.parentKeyId);
  return query.insert(apiKeys).selecting(
    {
      ...newColumns(given),
      parentKeyId: given.parentKeyId,
      ancestorKeyIds: sql`coalesce((select ${apiKeys.ancestorKeyIds} || ${apiKeys.apiKeyId} || '/'
        from ${apiKeys} where ${parent}), '')`,
    },
    sql`where (select count(*) from ${apiKeys} where ${ownKeys} and ${apiKeys.sessionId} is null
            and ${notEnded(given.createdAt)})
          < ${LIMITS.activeKeysPerWorkspaceMax}
        and (${given.parentKeyId} is null or exists (select 1 from ${apiKeys} where ${ownKeys} and ${parent}
          and ${apiKeys.revokedAt} is null and length(${apiKeys.ancestorKeyIds}) < ${ANCESTORS_MAX}
          and not ${hasBudget}))`,
  );
});

/** Whether a key of the workspace is active, and whether it may create keys. */
export const keyStatus = statement((given: Given<KeyId>) =>
  query
    .read(apiKeys, {
      isActive: sql<boolean>`${isKeyActive(given.workspaceId, given.apiKeyId)}`.mapWith(Boolean),
      isLastGeneration: sql<boolean>`length(${apiKeys.ancestorKeyIds}) >= ${ANCESTORS_MAX}`.mapWith(Boolean),
      hasBudget: sql<boolean>`${hasBudget}`.mapWith(Boolean),
    })
    .where(matches(apiKeys, pick(given, "workspaceId", "apiKeyId"))),
);

/** Columns of a key as of `nowMs`. */
const shownAt = (nowMs: SQLWrapper) => ({
  ...pick(apiKeys, "apiKeyId", "name", "prefix", "scopes", "livemode", "createdAt"),
  ...pick(apiKeys, "lastUsedAt", "revokedAt", "parentKeyId", "agentClientId", "agentHost"),
  /** An agent's connection outlives its access token. */
  expiresAt: sql<number | null>`coalesce(${apiKeys.grantExpiresAt}, ${apiKeys.expiresAt})`,
  ...budgetAt(nowMs),
});

/** A test key reads and revokes only test keys. */
const isInReach = ({ livemode }: Given<{ livemode: boolean }>) =>
  sql`(${livemode} or ${apiKeys.livemode} = 0)`;

/** True for keys that are listed: no session keys, and no connections whose code was not exchanged. */
const isShown = and(isNull(apiKeys.sessionId), isNull(apiKeys.agentChallenge));

/**
 * The workspace's keys and agent connections, newest first; optionally those older than the key `before` and those
 * created by `parentKeyId`.
 */
export const keysPage = statement(
  (
    given: Given<{
      workspaceId: string;
      before: string | null;
      parentKeyId: string | null;
      livemode: boolean;
      nowMs: number;
      limit: number;
    }>,
  ) =>
    query
      .read(apiKeys, shownAt(given.nowMs))
      .where(
        and(
          eq(apiKeys.workspaceId, given.workspaceId),
          isShown,
          isInReach(given),
          or(isNull(given.before), lt(apiKeys.apiKeyId, given.before)),
          or(isNull(given.parentKeyId), eq(apiKeys.parentKeyId, given.parentKeyId)),
        ),
      )
      .orderBy(desc(apiKeys.apiKeyId))
      .limit(given.limit),
);

/**
 * The workspace's keys and agent connections for an operator: active ones first, so that the limit cuts off only
 * revoked and expired ones.
 */
export const keysActiveFirst = statement(
  (given: Given<{ workspaceId: string; nowMs: number; limit: number }>) =>
    query
      .read(apiKeys, shownAt(given.nowMs))
      .where(and(eq(apiKeys.workspaceId, given.workspaceId), isShown))
      .orderBy(
        sql`${apiKeys.revokedAt} is not null
          or coalesce(coalesce(${apiKeys.grantExpiresAt}, ${apiKeys.expiresAt}) <= ${given.nowMs}, 0)`,
        desc(apiKeys.apiKeyId),
      )
      .limit(given.limit),
);

interface KeyChange extends KeyId, BudgetLimits {
  /** Null keeps the name. */
  readonly name: string | null;
  /** 1 to write the budget limits, 0 to keep them. */
  readonly changesBudget: number;
  readonly nowMs: number;
}

/** Changes a key's name or budget. Returns its new row, or none when the workspace has no such key. */
export const changeKey = statement((given: Given<KeyChange>) =>
  query
    .update(apiKeys)
    .set({
      name: sql`coalesce(${given.name}, ${apiKeys.name})`,
      dailyBudget: sql`iif(${given.changesBudget}, ${given.dailyBudget}, ${apiKeys.dailyBudget})`,
      monthlyBudget: sql`iif(${given.changesBudget}, ${given.monthlyBudget}, ${apiKeys.monthlyBudget})`,
    })
    .where(and(matches(apiKeys, pick(given, "workspaceId", "apiKeyId")), isNull(apiKeys.sessionId)))
    .returning(shownAt(given.nowMs)),
);

/**
 * Revokes a key; a revoked key keeps its time of revocation. Returns its new row, or none when the workspace has no
 * such key.
 */
export const markKeyRevoked = statement((given: Given<KeyId & { livemode: boolean; nowMs: number }>) =>
  query
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${given.nowMs})` })
    .where(and(matches(apiKeys, pick(given, "workspaceId", "apiKeyId")), isInReach(given)))
    .returning(shownAt(given.nowMs)),
);

/** Descendants of a key that are active at `nowMs`. The key's own row may be deleted already. */
const isActiveDescendant = (given: Readonly<Record<"workspaceId" | "apiKeyId" | "nowMs", SQLWrapper>>) =>
  and(
    eq(apiKeys.workspaceId, given.workspaceId),
    notEnded(given.nowMs),
    sql`instr(${apiKeys.ancestorKeyIds}, ${given.apiKeyId} || '/') > 0`,
  );

/** Whether the caller may revoke the key, and with it its descendants: a test key may not revoke a live key. */
const mayRevoke = (given: Readonly<Record<"apiKeyId" | "livemode", SQLWrapper>>) =>
  sql`(${given.livemode} or exists (select 1 from ${apiKeys} as own
    where own.api_key_id = ${given.apiKeyId} and own.livemode = 0))`;

/** An audit event of an existing key, except session keys. */
export const auditKey = auditWhere(
  (given) =>
    sql`exists (select 1 from ${apiKeys} where ${apiKeys.workspaceId} = ${given.workspaceId}
      and ${apiKeys.apiKeyId} = ${given.subjectId} and ${apiKeys.sessionId} is null)`,
);

/** Audit events of the key that is revoked next in the batch and, with `isCascade`, of its descendants. */
export const auditRevocation = auditKeysWhere<{ isCascade: boolean; livemode: boolean }>((given) => {
  const key = { workspaceId: given.workspaceId, apiKeyId: given.subjectId, nowMs: given.nowMs };
  return or(
    and(matches(apiKeys, pick(key, "workspaceId", "apiKeyId")), isNull(apiKeys.revokedAt), isInReach(given)),
    and(sql`${given.isCascade}`, isActiveDescendant(key), mayRevoke({ ...key, livemode: given.livemode })),
  );
});

/** Active descendants of a key. There are at most as many as active keys in a workspace. */
export const activeDescendants = statement((given: Given<KeyId & { readonly nowMs: number }>) =>
  query.read(apiKeys, shownAt(given.nowMs)).where(isActiveDescendant(given)).orderBy(desc(apiKeys.apiKeyId)),
);

/** Revokes a key's descendants and returns their rows. */
export const revokeDescendants = statement((given: Given<KeyId & { livemode: boolean; nowMs: number }>) =>
  query
    .update(apiKeys)
    .set({ revokedAt: given.nowMs })
    .where(and(isActiveDescendant(given), mayRevoke(given)))
    .returning(shownAt(given.nowMs)),
);

/** Long enough to investigate a leak. */
const DEAD_KEY_RETENTION_MS = 90 * 24 * 60 * 60_000;

/**
 * Deletes at most `limit` keys that were revoked or expired more than `DEAD_KEY_RETENTION_MS` ago; returns how many. A
 * deleted key is answered like an unknown one, with 401.
 */
export const deleteDeadKeys = (db: D1Database, nowMs: number, limit: number): Promise<number> =>
  deleteKeysEndedBy.run(db, { endedMs: nowMs - DEAD_KEY_RETENTION_MS, limit });

const deleteKeysEndedBy = statement((given: Given<{ endedMs: number; limit: number }>) => {
  const endedAt = sql`coalesce(${apiKeys.revokedAt}, ${apiKeys.expiresAt})`;
  const hasEnded = sql`(${apiKeys.revokedAt} is not null or ${apiKeys.expiresAt} is not null) and ${endedAt} <= ${given.endedMs}
    and ${isNotMoving(apiKeys.workspaceId)}`;
  return query.deleteFirst(apiKeys, apiKeys.apiKeyId, hasEnded, endedAt, given.limit);
});
