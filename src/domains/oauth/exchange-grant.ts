import { createHash } from "node:crypto";
import { uint8ArrayToBase64 } from "uint8array-extras";
import { LIMITS } from "#api/limits.ts";
import type { Scope } from "#api/scopes.ts";
import { auditRow, causeOfService } from "#domains/audit/audit-store.ts";
import { readSecret } from "#domains/keys/secret.ts";
import { hashSecret, type KeyVerification } from "#domains/keys/service.ts";
import { auditRevocation, markKeyRevoked } from "#domains/keys/store.ts";
import { databaseOf } from "#platform/databases/databases.ts";
import { type Home, readHome, SHARDS_MAX } from "#platform/databases/shard-name.ts";
import { latest } from "#platform/db/reader.ts";
import { exchanged, type Grant, readGrant } from "./grant.ts";
import { type Connection, connectionByFamily, connectionByToken, rotateGrant } from "./store.ts";

/** Rules of the token endpoint: exchanges of codes and refresh tokens, and replays. */

/** Error codes of RFC 6749 §5.2. */
export interface TokenRefusal {
  readonly ok: false;
  readonly error: "invalid_grant" | "invalid_scope";
  readonly description: string;
  /** The connection that was ended, because a grant was used twice. */
  readonly revokedKeyId?: string;
}

export interface Tokens {
  readonly ok: true;
  readonly apiKeyId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly Scope[];
}

export interface Exchange {
  readonly kind: Grant["kind"];
  readonly grant: string;
  readonly clientId: string;
  /** Sent with a code. */
  readonly redirectUri: string | null;
  readonly verifier: string | null;
  /** Sent with a refresh token; a scope that was not granted is refused. */
  readonly scope: string | null;
}

const refused = (description: string, error: TokenRefusal["error"] = "invalid_grant"): TokenRefusal => ({
  ok: false,
  error,
  description,
});

interface Found {
  readonly connection: Connection;
  readonly db: D1Database;
  readonly home: Home;
}

/** The connection of a secret's hash, in its workspace's current database. */
async function findConnection(
  { databases, keyPepper, keyPepperPrevious }: KeyVerification,
  query: typeof connectionByFamily,
  secret: string,
  from: Home,
): Promise<Found | null> {
  const presentHash = await hashSecret(keyPepper, secret);
  const previousHash = keyPepperPrevious === null ? null : await hashSecret(keyPepperPrevious, secret);
  let home = from;
  for (let moves = 0; moves <= SHARDS_MAX; moves += 1) {
    const db = databaseOf(databases, home);
    if (db === null) return null;
    const connection = await query.first(latest(db), { presentHash, previousHash });
    if (connection === null) return null;
    if (connection.workspaceHome === null) return { connection, db, home };
    home = readHome(connection.workspaceHome);
  }
  throw new Error("a workspace that has moved in a circle");
}

const findByGrant = (verification: KeyVerification, { family, home }: Grant): Promise<Found | null> =>
  findConnection(verification, connectionByFamily, family, home);

const challengeOf = (verifier: string): string =>
  uint8ArrayToBase64(createHash("sha256").update(verifier).digest(), { urlSafe: true });

/** The message for a valid code in an invalid request, or null if the request is valid. */
function faultOfCode({ agentRedirectUri, agentChallenge }: Connection, request: Exchange): string | null {
  if (request.redirectUri !== agentRedirectUri)
    return "The redirect_uri is not that of the authorization request.";
  if (!/^[\w.~-]{43,128}$/.test(request.verifier ?? "")) return "The code_verifier is missing or malformed.";
  return challengeOf(request.verifier ?? "") === agentChallenge ? null : "The code_verifier does not fit.";
}

/**
 * Exchanges a code or refresh token, once. A replay of an exchanged grant ends the connection with all its tokens
 * (OAuth 2.1), except that repeating the last refresh token within `agentRefreshGraceMs` returns the same tokens.
 */
export async function exchangeGrant(
  verification: KeyVerification,
  request: Exchange,
  nowMs: number,
): Promise<Tokens | TokenRefusal> {
  const grant = readGrant(request.grant);
  const found = grant?.kind === request.kind ? await findByGrant(verification, grant) : null;
  if (grant === null || found === null) return refused(`The ${request.kind} is unknown.`);
  const { connection, db, home } = found;
  const { apiKeyId, scopes } = connection;
  if (connection.agentClientId !== request.clientId) return refused("The grant belongs to another client.");
  if (connection.revokedAt !== null || connection.holderAccountId === null) {
    return refused("The connection has ended.");
  }
  if (connection.workspaceSuspendedAt !== null) return refused("The workspace is suspended.");
  if ((connection.grantExpiresAt ?? 0) <= nowMs) return refused(`The ${request.kind} has expired.`);

  const { keyPepper, keyPepperPrevious, keyCheckSecret } = verification;
  const hashes = [keyPepper, keyPepperPrevious].flatMap((pepper) => (pepper === null ? [] : [pepper]));
  const ownHashes = await Promise.all(hashes.map((pepper) => hashSecret(pepper, grant.text)));
  const next = await exchanged({ db, home, keyPepper, keyCheckSecret: keyCheckSecret ?? null }, grant);
  const tokens = (expiresAt: number): Tokens => ({
    ok: true,
    apiKeyId,
    accessToken: next.accessToken,
    refreshToken: next.refresh.text,
    expiresInSeconds: Math.max(0, Math.floor((expiresAt - nowMs) / 1_000)),
    scopes,
  });

  const spentHash = ownHashes.find((hash) => hash === connection.grantHash);
  if (spentHash === undefined) {
    const isRetry =
      grant.kind === "refresh" &&
      ownHashes.some((hash) => hash === connection.grantSpentHash) &&
      nowMs - (connection.grantSpentAt ?? 0) < LIMITS.agentRefreshGraceMs &&
      next.grantHash === connection.grantHash;
    if (isRetry) return tokens(connection.expiresAt ?? nowMs);
    await endConnection(db, connection, nowMs);
    return {
      ...refused(`The ${request.kind} was used before, so the connection has ended.`),
      revokedKeyId: apiKeyId,
    };
  }
  const fault = grant.kind === "code" ? faultOfCode(connection, request) : null;
  if (fault !== null) return refused(fault);
  if (request.scope?.split(" ").some((scope) => !scopes.some((granted) => granted === scope))) {
    return refused("A scope was not granted.", "invalid_scope");
  }
  const expiresAt = nowMs + LIMITS.agentTokenLifetimeMs;
  const isRotated = await rotateGrant.run(db, {
    ...{ apiKeyId, spentHash, grantHash: next.grantHash, secretHash: next.secretHash, prefix: next.prefix },
    ...{ familyHash: await hashSecret(keyPepper, grant.family), expiresAt, nowMs },
    grantExpiresAt: nowMs + LIMITS.agentRefreshLifetimeMs,
  });
  // If a concurrent request has exchanged the grant, this request is the replay.
  return isRotated > 0 ? tokens(expiresAt) : exchangeGrant(verification, request, nowMs);
}

/** Revokes an active connection, with an audit event of the system. */
async function endConnection(
  db: D1Database,
  { workspaceId, apiKeyId }: Connection,
  nowMs: number,
): Promise<void> {
  const event = { workspaceId, type: "connection.revoked", subjectId: apiKeyId } as const;
  await db.batch([
    auditRevocation.bind(db, {
      ...auditRow(causeOfService("system", nowMs), event),
      isCascade: false,
      livemode: true,
    }),
    markKeyRevoked.bind(db, { workspaceId, apiKeyId, livemode: true, nowMs }),
  ]);
}

/**
 * Ends the connection of an access or refresh token (RFC 7009). Returns the key's id, or null when the client has no
 * such token.
 */
export async function revokeToken(
  verification: KeyVerification,
  text: string,
  clientId: string,
  nowMs: number,
): Promise<string | null> {
  const grant = readGrant(text);
  const form = readSecret(text, null);
  const found =
    grant !== null
      ? await findByGrant(verification, grant)
      : form && (await findConnection(verification, connectionByToken, text, form.home));
  if (!found || found.connection.agentClientId !== clientId) return null;
  const { apiKeyId } = found.connection;
  await endConnection(found.db, found.connection, nowMs);
  return apiKeyId;
}
