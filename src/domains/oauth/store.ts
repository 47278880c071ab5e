import { and, eq, gt, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { LIMITS } from "#api/limits.ts";
import { type NewKey, newColumns } from "#domains/keys/store.ts";
import { apiKeys, workspaceMembers, workspaces } from "#platform/db/schema/index.ts";
import { type Given, matches, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of agents' connections, which are rows of `api_keys`. */

export interface NewConnection extends NewKey {
  readonly agentAccountId: string;
  readonly agentClientId: string;
  readonly agentHost: string;
  readonly agentRedirectUri: string;
  readonly agentChallenge: string;
  readonly grantFamilyHash: string;
  readonly grantHash: string;
  readonly grantExpiresAt: number;
}

/**
 * Inserts a connection with its code while its account is below the limit in the workspace; changes no row otherwise.
 */
export const insertConnection = statement((given: Given<NewConnection>) =>
  query.insert(apiKeys).selecting(
    {
      ...newColumns(given),
      ...pick(given, "agentAccountId", "agentClientId", "agentHost", "agentRedirectUri", "agentChallenge"),
      ...pick(given, "grantFamilyHash", "grantHash", "grantExpiresAt"),
      // Only owners create keys and connect agents.
      sessionRole: sql`'owner'`,
    },
    sql`where (select count(*) from ${apiKeys} where ${apiKeys.workspaceId} = ${given.workspaceId}
      and ${apiKeys.agentAccountId} = ${given.agentAccountId} and ${apiKeys.revokedAt} is null
      and ${apiKeys.grantExpiresAt} > ${given.createdAt}) < ${LIMITS.agentsPerMemberMax}`,
  ),
);

/** Deletes a workspace's connections whose code expired unused. */
export const deleteUnusedCodes = statement((given: Given<{ workspaceId: string; nowMs: number }>) =>
  query
    .delete(apiKeys)
    .where(
      and(
        eq(apiKeys.workspaceId, given.workspaceId),
        isNotNull(apiKeys.agentChallenge),
        lte(apiKeys.grantExpiresAt, given.nowMs),
      ),
    ),
);

type Hashes = Given<{ presentHash: string; previousHash: string | null }>;

const connectionBy = (column: typeof apiKeys.grantFamilyHash | typeof apiKeys.secretHash) =>
  statement((given: Hashes) =>
    query
      .read(apiKeys, {
        ...pick(apiKeys, "apiKeyId", "workspaceId", "scopes", "secretHash", "expiresAt", "revokedAt"),
        ...pick(apiKeys, "agentClientId", "agentRedirectUri", "agentChallenge"),
        ...pick(apiKeys, "grantHash", "grantSpentHash", "grantSpentAt", "grantExpiresAt"),
        workspaceHome: workspaces.home,
        workspaceSuspendedAt: workspaces.suspendedAt,
        /** Null once the user has left or no longer owns the workspace. */
        holderAccountId: workspaceMembers.accountId,
      })
      .innerJoin(workspaces, eq(workspaces.workspaceId, apiKeys.workspaceId))
      .leftJoin(
        workspaceMembers,
        and(
          eq(workspaceMembers.workspaceId, apiKeys.workspaceId),
          eq(workspaceMembers.accountId, apiKeys.agentAccountId),
          eq(workspaceMembers.role, apiKeys.sessionRole),
        ),
      )
      .where(
        and(isNotNull(apiKeys.grantFamilyHash), inArray(column, [given.presentHash, given.previousHash])),
      ),
  );

/** The connection of a code or refresh token by its family, under either pepper. */
export const connectionByFamily = connectionBy(apiKeys.grantFamilyHash);

/** The connection of an access token. */
export const connectionByToken = connectionBy(apiKeys.secretHash);

export type Connection = RowOf<typeof connectionByFamily>;

/** Replaces the current grant and access token; changes no row when another request has replaced them already. */
export const rotateGrant = statement(
  (
    given: Given<{
      apiKeyId: string;
      spentHash: string;
      familyHash: string;
      grantHash: string;
      secretHash: string;
      prefix: string;
      expiresAt: number;
      grantExpiresAt: number;
      nowMs: number;
    }>,
  ) =>
    query
      .update(apiKeys)
      .set({
        ...pick(given, "grantHash", "secretHash", "prefix", "expiresAt", "grantExpiresAt"),
        grantFamilyHash: given.familyHash,
        grantSpentHash: given.spentHash,
        grantSpentAt: given.nowMs,
        agentRedirectUri: null,
        agentChallenge: null,
      })
      .where(
        and(
          matches(apiKeys, { apiKeyId: given.apiKeyId, grantHash: given.spentHash }),
          isNull(apiKeys.revokedAt),
          gt(sql`${apiKeys.grantExpiresAt}`, given.nowMs),
        ),
      ),
);
