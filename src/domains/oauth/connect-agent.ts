import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { assertMembership } from "#domains/accounts/members/membership-store.ts";
import { auditRow, type Cause } from "#domains/audit/audit-store.ts";
import { NO_BUDGET } from "#domains/keys/budget.ts";
import { hashSecret, type KeyDatabase } from "#domains/keys/service.ts";
import { auditKey } from "#domains/keys/store.ts";
import { DIRECTORY } from "#platform/databases/shard-name.ts";
import { newId } from "#platform/ids.ts";
import { type AuthorizationRequest, answerAddress } from "./authorization-request.ts";
import { exchanged, newCode } from "./grant.ts";
import { deleteUnusedCodes, insertConnection } from "./store.ts";

/** A user's consent to connect an agent. Times are Unix milliseconds. */
export interface Consent {
  readonly workspaceId: string;
  readonly accountId: string;
  /** Credits per calendar month; null for no limit. */
  readonly monthlyBudget: number | null;
  readonly cause: Cause;
}

/** A connection whose code is not exchanged yet, and the redirect URL with that code. */
export interface Connected {
  readonly apiKeyId: string;
  readonly redirectTo: string;
}

/**
 * Connects an agent to a workspace that the account owns. 409 API_KEY_LIMIT_REACHED when the account has too many
 * connections. The batch fails with `membership_active` for an account that no longer owns the workspace.
 */
export async function connectAgent(
  database: KeyDatabase,
  issuer: string,
  request: AuthorizationRequest,
  { workspaceId, accountId, monthlyBudget, cause }: Consent,
): Promise<Outcome<Connected>> {
  const { db, keyPepper, home = DIRECTORY } = database;
  const { client, redirectUri, challenge, scopes } = request;
  const { nowMs } = cause;
  const code = newCode(home);
  // The connection's first access token, which the client gets only when it exchanges the code.
  const { prefix, secretHash } = await exchanged(database, code);
  const endsMs = nowMs + LIMITS.agentCodeLifetimeMs;
  const connection = {
    ...{ apiKeyId: newId(), workspaceId, name: client.name, prefix, secretHash, scopes },
    ...{
      createdAt: nowMs,
      lastUsedAt: null,
      expiresAt: endsMs,
      revokedAt: null,
      parentKeyId: null,
      livemode: true,
    },
    ...{ ...NO_BUDGET, monthlyBudget },
    agentAccountId: accountId,
    agentClientId: client.clientId,
    agentHost: client.host ?? new URL(redirectUri).host,
    agentRedirectUri: redirectUri,
    agentChallenge: challenge,
    grantFamilyHash: await hashSecret(keyPepper, code.family),
    grantHash: await hashSecret(keyPepper, code.text),
    grantExpiresAt: endsMs,
  };
  const results = await db.batch([
    assertMembership.bind(db, { workspaceId, accountId, role: "owner" }),
    deleteUnusedCodes.bind(db, { workspaceId, nowMs }),
    insertConnection.bind(db, connection),
    auditKey.bind(
      db,
      auditRow(cause, { workspaceId, type: "connection.created", subjectId: connection.apiKeyId }),
    ),
  ]);
  if ((results.at(-2)?.meta.changes ?? 0) === 0) {
    return refuse("API_KEY_LIMIT_REACHED", `You have connected ${LIMITS.agentsPerMemberMax} agents.`, {
      nextAction: "Disconnect an agent that is no longer needed.",
    });
  }
  return accept({
    apiKeyId: connection.apiKeyId,
    redirectTo: answerAddress(issuer, request, { code: code.text }),
  });
}
