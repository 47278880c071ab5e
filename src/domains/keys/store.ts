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

/** SQL of the API keys. */

/**
 * The person of a session's key, while the session is there and the person in the workspace with the key's role; and who
 * connected an agent, while that person has the role.
 */
const isHolder = and(
  eq(workspaceMembers.accountId, sql`coalesce(${accountSessions.accountId}, ${apiKeys.agentAccountId})`),
  eq(workspaceMembers.workspaceId, apiKeys.workspaceId),
  eq(workspaceMembers.role, apiKeys.sessionRole),
);

/** A key with what authentication needs of its workspace, by the hash of its secret under either pepper. */
export const keyByHash = statement((given: Given<{ presentHash: string; previousHash: string | null }>) =>
  query
    .read(apiKeys, {
      ...pick(apiKeys, "apiKeyId", "workspaceId", "secretHash", "scopes", "livemode"),
      ...pick(apiKeys, "lastUsedAt", "expiresAt", "revokedAt"),
      workspaceKind: workspaces.kind,
      workspaceExpiresAt: workspaces.expiresAt,
      workspaceSuspendedAt: workspaces.suspendedAt,
      /** Where the workspace lives, where that is another database; and whether it is to be moved, or being moved. */
      workspaceHome: workspaces.home,
      workspaceMovingTo: workspaces.movingTo,
      workspaceMovingSince: workspaces.movingSince,
      sessionId: apiKeys.sessionId,
      ...pick(apiKeys, "sessionRole", "agentAccountId"),
      /** Of a session's key or an agent's: null once the session has ended, or its person has left or has another role. */
      holderAccountId: workspaceMembers.accountId,
    })
    .innerJoin(workspaces, eq(workspaces.workspaceId, apiKeys.workspaceId))
    .leftJoin(accountSessions, eq(accountSessions.sessionId, apiKeys.sessionId))
    .leftJoin(workspaceMembers, isHolder)
    .where(inArray(apiKeys.secretHash, [given.presentHash, given.previousHash])),
);

export type StoredKey = RowOf<typeof keyByHash>;

/** Moves the time of a key's last use forward. */
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

/** Stores a key under the present pepper's hash of its secret. */
export const rehashKey = statement((given: Given<{ apiKeyId: string; secretHash: string; nowMs: number }>) =>
  query
    .update(apiKeys)
    .set({ secretHash: given.secretHash, lastUsedAt: given.nowMs })
    .where(eq(apiKeys.apiKeyId, given.apiKeyId)),
);

/** A key to be stored; the secret itself never is. */
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

/** Stores a key that no other key makes. */
export const insertKey = statement((given: Given<NewKey>) => query.insert(apiKeys).values(newColumns(given)));

/** True of any key but one of a session or agent whose session has ended, or whose person has left or has another role. */
const hasHolder = or(
  and(isNull(apiKeys.sessionId), isNull(apiKeys.agentAccountId)),
  exists(
    query
      .read(workspaceMembers, { one: sql`1` })
      .leftJoin(accountSessions, eq(accountSessions.sessionId, apiKeys.sessionId))
      .where(isHolder),
  ),
);

/** True while a key of the workspace is not revoked and has not ended with its session, nor the workspace suspended. */
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
 * Fails its batch with `key_active` when the key was revoked or its workspace suspended, or when there is none: for the
 * effects of a request that was let in a while ago.
 */
export const assertKeyActive = statement((given: Given<KeyId>) =>
  guard("key_active", isKeyActive(given.workspaceId, given.apiKeyId)),
);

/** An id with its `/` in `ancestor_key_ids`. */
const ANCESTOR_CHARACTERS = 37;

/** The longest `ancestor_key_ids` of a key that no further key may come of. */
const ANCESTORS_MAX = LIMITS.keyGenerationsMax * ANCESTOR_CHARACTERS;

/** Keys that neither were revoked nor have expired at the time. */
const notEnded = (nowMs: SQLWrapper) =>
  and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, nowMs)));

/** Values that find the key of a secret, for a request that needs the scope. */
interface SecretInUse {
  readonly presentHash: string;
  readonly previousHash: string | null;
  readonly scope: Scope;
  readonly nowMs: number;
}

/**
 * The key of a secret while it may be used for the scope, for statements that are read in one trip with the key
 * (`Statement.finding`): of a key that is unknown, has ended or lacks the scope they find nothing, as of a workspace that lives elsewhere.
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

/** A key that spends at most so much makes no key, which could spend more. */
const hasBudget = sql`(${apiKeys.dailyBudget} is not null or ${apiKeys.monthlyBudget} is not null)`;

/**
 * Stores a key while the workspace has fewer active ones than it may and its parent is neither revoked nor the last of
 * its chain and has no budget; changes no row otherwise. All are looked at in the write itself, so that requests at once cannot pass them.
 * Without a parent it is the workspace's owner who creates, whose role nobody can take.
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

/** A key of the workspace: whether a request may still act by it, and whether a further key may come of it. */
export const keyStanding = statement((given: Given<KeyId>) =>
  query
    .read(apiKeys, {
      isActive: sql<boolean>`${isKeyActive(given.workspaceId, given.apiKeyId)}`.mapWith(Boolean),
      isLastGeneration: sql<boolean>`length(${apiKeys.ancestorKeyIds}) >= ${ANCESTORS_MAX}`.mapWith(Boolean),
      hasBudget: sql<boolean>`${hasBudget}`.mapWith(Boolean),
    })
    .where(matches(apiKeys, pick(given, "workspaceId", "apiKeyId"))),
);

/** A key as it is shown at a time. */
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

/** True of what is shown as a key: none of a session, and no connection whose code was not exchanged. */
const isShown = and(isNull(apiKeys.sessionId), isNull(apiKeys.agentChallenge));

/** The workspace's keys and connections of agents, newest first: older than the key `before` and made by the key `parentKeyId`, where given. */
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

/** The same keys as an operator looks at them: active ones first, so that no number of dead ones hides them. */
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
  /** Null to leave it. */
  readonly name: string | null;
  /** Whether the limits are to be written; else they are left. */
  readonly changesBudget: number;
  readonly nowMs: number;
}

/** Changes a key's name or budget; its row as it then is, or none when the workspace has none of this id. */
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

/** Revokes a key once; its row as it then is, or none when the workspace has none of this id. */
export const markKeyRevoked = statement((given: Given<KeyId & { livemode: boolean; nowMs: number }>) =>
  query
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${given.nowMs})` })
    .where(and(matches(apiKeys, pick(given, "workspaceId", "apiKeyId")), isInReach(given)))
    .returning(shownAt(given.nowMs)),
);

/** The keys that come of a key and have not ended at the time. Its own row need not be there any more. */
const isActiveDescendant = (given: Readonly<Record<"workspaceId" | "apiKeyId" | "nowMs", SQLWrapper>>) =>
  and(
    eq(apiKeys.workspaceId, given.workspaceId),
    notEnded(given.nowMs),
    sql`instr(${apiKeys.ancestorKeyIds}, ${given.apiKeyId} || '/') > 0`,
  );

/** Whether the key itself is in the caller's reach: a test key revokes no key that a live key created. */
const isAncestorInReach = (given: Readonly<Record<"apiKeyId" | "livemode", SQLWrapper>>) =>
  sql`(${given.livemode} or exists (select 1 from ${apiKeys} as own
    where own.api_key_id = ${given.apiKeyId} and own.livemode = 0))`;

/** An event of a key that is there, and no session's. */
export const auditKey = auditWhere(
  (given) =>
    sql`exists (select 1 from ${apiKeys} where ${apiKeys.workspaceId} = ${given.workspaceId}
      and ${apiKeys.apiKeyId} = ${given.subjectId} and ${apiKeys.sessionId} is null)`,
);

/** Events of the key that is revoked next and, with `isCascade`, of those that come of it. */
export const auditRevocation = auditKeysWhere<{ isCascade: boolean; livemode: boolean }>((given) => {
  const key = { workspaceId: given.workspaceId, apiKeyId: given.subjectId, nowMs: given.nowMs };
  return or(
    and(matches(apiKeys, pick(key, "workspaceId", "apiKeyId")), isNull(apiKeys.revokedAt), isInReach(given)),
    and(
      sql`${given.isCascade}`,
      isActiveDescendant(key),
      isAncestorInReach({ ...key, livemode: given.livemode }),
    ),
  );
});

/** The active keys that come of a key, directly or through others: no more than a workspace may have. */
export const activeDescendants = statement((given: Given<KeyId & { readonly nowMs: number }>) =>
  query.read(apiKeys, shownAt(given.nowMs)).where(isActiveDescendant(given)).orderBy(desc(apiKeys.apiKeyId)),
);

/** Revokes those, and returns their rows. */
export const revokeDescendants = statement((given: Given<KeyId & { livemode: boolean; nowMs: number }>) =>
  query
    .update(apiKeys)
    .set({ revokedAt: given.nowMs })
    .where(and(isActiveDescendant(given), isAncestorInReach(given)))
    .returning(shownAt(given.nowMs)),
);

/** Long enough for whoever looks back at a leak; what was done with a key is known by its id in logs kept as long. */
const DEAD_KEY_RETENTION_MS = 90 * 24 * 60 * 60_000;

/**
 * Deletes at most `limit` keys that were revoked or had expired so long ago. Returns how many. A deleted key is as
 * unknown as one that never was: 401 either way.
 */
export const deleteDeadKeys = (db: D1Database, nowMs: number, limit: number): Promise<number> =>
  deleteKeysEndedBy.run(db, { endedMs: nowMs - DEAD_KEY_RETENTION_MS, limit });

const deleteKeysEndedBy = statement((given: Given<{ endedMs: number; limit: number }>) => {
  const endedAt = sql`coalesce(${apiKeys.revokedAt}, ${apiKeys.expiresAt})`;
  const hasEnded = sql`(${apiKeys.revokedAt} is not null or ${apiKeys.expiresAt} is not null) and ${endedAt} <= ${given.endedMs}
    and ${isNotMoving(apiKeys.workspaceId)}`;
  return query.deleteFirst(apiKeys, apiKeys.apiKeyId, hasEnded, endedAt, given.limit);
});
