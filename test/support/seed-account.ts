import { newId } from "#platform/ids.ts";

/**
 * Inserts a signed-in account directly, because hashing passwords costs more than most tests. Works in Node and
 * workerd. Other tests sign up and in through the routes.
 */

export interface SeededAccount {
  readonly accountId: string;
  readonly sessionId: string;
  readonly email: string;
  /** The session cookie, as a Cookie header. */
  readonly cookie: string;
  /** The account's first workspace. */
  readonly workspaceId: string;
}

export interface AccountSeed {
  readonly db: D1Database;
  /** AUTH_SECRET of the origin. */
  readonly secret: string;
  /** Name of the session cookie. */
  readonly cookieName: string;
  readonly expiresAt?: number;
  /** Whether the account's email address is confirmed; false when absent. */
  readonly isEmailConfirmed?: boolean;
}

/** A signed cookie value, as sign-in sets it: the value, a dot, HMAC-SHA-256 in base64. */
async function signedValue(value: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(value)));
  return encodeURIComponent(`${value}.${btoa(String.fromCharCode(...signature))}`);
}

const DAY_MS = 86_400_000;

export async function seedAccount({
  db,
  secret,
  cookieName,
  expiresAt,
  isEmailConfirmed = false,
}: AccountSeed): Promise<SeededAccount> {
  const [accountId, sessionId, workspaceId, token] = [newId(), newId(), newId(), newId()];
  const email = `${accountId}@accounts.example`;
  const nowMs = Date.now();
  await db.batch([
    db
      .prepare(
        `INSERT INTO accounts (account_id, name, email, is_email_verified, created_at, updated_at)
         VALUES (?1, 'Ada', ?2, ?4, ?3, ?3)`,
      )
      .bind(accountId, email, nowMs, isEmailConfirmed ? 1 : 0),
    db
      .prepare(
        `INSERT INTO workspaces (workspace_id, name, kind, has_unlimited_access, created_at)
         VALUES (?1, 'My workspace', 'standard', 0, ?2)`,
      )
      .bind(workspaceId, nowMs),
    db
      .prepare(
        `INSERT INTO workspace_members (workspace_id, account_id, role, created_at) VALUES (?1, ?2, 'owner', ?3)`,
      )
      .bind(workspaceId, accountId, nowMs),
    db
      .prepare(
        `INSERT INTO account_sessions (session_id, account_id, token, created_at, updated_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?4, ?5)`,
      )
      .bind(sessionId, accountId, token, nowMs, expiresAt ?? nowMs + 7 * DAY_MS),
  ]);
  return {
    accountId,
    sessionId,
    email,
    workspaceId,
    cookie: `${cookieName}=${await signedValue(token, secret)}`,
  };
}
