import { type Membership, type Role, scopesOf } from "./membership.ts";

/** SQL of memberships and of sessions, where the sign-in library does not write them. */

const insertMember = (db: D1Database, workspaceId: string, accountId: string, role: Role, nowMs: number) =>
  db
    .prepare(
      "INSERT INTO workspace_members (workspace_id, account_id, role, created_at) VALUES (?1, ?2, ?3, ?4)",
    )
    .bind(workspaceId, accountId, role, nowMs);

/** Makes the account the workspace's owner; in the batch that makes the workspace. */
export const insertOwnerStatement = (
  db: D1Database,
  workspaceId: string,
  accountId: string,
  nowMs: number,
): D1PreparedStatement => insertMember(db, workspaceId, accountId, "owner", nowMs);

/** Ends an account's oldest sessions until `limit` are left. */
export const keepNewestSessionsStatement = (
  db: D1Database,
  accountId: string,
  limit: number,
): D1PreparedStatement =>
  db
    .prepare(
      `DELETE FROM account_sessions WHERE session_id IN (
         SELECT session_id FROM account_sessions WHERE account_id = ?1
         ORDER BY created_at DESC, session_id DESC LIMIT -1 OFFSET ?2)`,
    )
    .bind(accountId, limit);

interface MemberRow {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly role: Role;
  readonly suspendedAt: number | null;
}

function toMembership({ suspendedAt, ...row }: MemberRow): Membership {
  const isSuspended = suspendedAt !== null;
  return { ...row, isSuspended, scopes: scopesOf(row.role, isSuspended) };
}

const MEMBERSHIP = `m.workspace_id AS workspaceId, m.account_id AS accountId, m.role,
  (SELECT suspended_at FROM workspaces w WHERE w.workspace_id = m.workspace_id) AS suspendedAt`;

/** The account in the workspace, or null: a workspace that is not the account's reads as none. */
export async function findMembership(
  db: D1Database,
  accountId: string,
  workspaceId: string,
): Promise<Membership | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(`SELECT ${MEMBERSHIP} FROM workspace_members m WHERE m.workspace_id = ?1 AND m.account_id = ?2`)
    .bind(workspaceId, accountId)
    .first<MemberRow>();
  return row === null ? null : toMembership(row);
}

/** The account in the workspace of an artifact, or null where there is no such artifact for it. */
export async function findMembershipByArtifact(
  db: D1Database,
  accountId: string,
  artifactId: string,
): Promise<Membership | null> {
  const row = await db
    .withSession("first-primary")
    .prepare(
      `SELECT ${MEMBERSHIP} FROM artifacts a JOIN workspace_members m ON m.workspace_id = a.workspace_id
       WHERE a.artifact_id = ?1 AND m.account_id = ?2`,
    )
    .bind(artifactId, accountId)
    .first<MemberRow>();
  return row === null ? null : toMembership(row);
}

/**
 * Fails the batch it stands in, and with it all that the batch would write, when the account is no longer in the
 * workspace with this role: guard `membership_active`.
 */
export const requireMemberStatement = (db: D1Database, membership: Membership): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO batch_guards SELECT 'membership_active' WHERE NOT EXISTS (
         SELECT 1 FROM workspace_members WHERE workspace_id = ?1 AND account_id = ?2 AND role = ?3)`,
    )
    .bind(membership.workspaceId, membership.accountId, membership.role);

/** Ends a session of the account. */
export const endSession = async (db: D1Database, accountId: string, sessionId: string): Promise<void> => {
  await db
    .prepare("DELETE FROM account_sessions WHERE session_id = ?1 AND account_id = ?2")
    .bind(sessionId, accountId)
    .run();
};

/** Whether an address, in lower case, has an account. */
export const hasAccount = async (db: D1Database, email: string): Promise<boolean> => {
  const row = await db
    .withSession("first-primary")
    .prepare("SELECT 1 FROM accounts WHERE email = ?1")
    .bind(email)
    .first();
  return row !== null;
};

/** The stored form of an account's password, or null where it has none. */
export const findPasswordHash = async (db: D1Database, accountId: string): Promise<string | null> => {
  const row = await db
    .withSession("first-primary")
    .prepare(
      "SELECT password_hash AS hash FROM account_credentials WHERE account_id = ?1 AND provider_id = 'credential'",
    )
    .bind(accountId)
    .first<{ hash: string | null }>();
  return row?.hash ?? null;
};

/** The same by address, in lower case; null also where the address has no account. */
export const findPasswordHashByEmail = async (db: D1Database, email: string): Promise<string | null> => {
  const row = await db
    .withSession("first-primary")
    .prepare(
      `SELECT password_hash AS hash FROM account_credentials JOIN accounts USING (account_id)
       WHERE email = ?1 AND provider_id = 'credential'`,
    )
    .bind(email)
    .first<{ hash: string | null }>();
  return row?.hash ?? null;
};

/** A password that takes another's place. */
export interface PasswordChange {
  readonly accountId: string;
  readonly oldHash: string;
  readonly newHash: string;
  readonly nowMs: number;
}

/** Replaces a password that is still the old one. */
export const replacePasswordStatement = (
  db: D1Database,
  { accountId, oldHash, newHash, nowMs }: PasswordChange,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE account_credentials SET password_hash = ?3, updated_at = ?4
       WHERE account_id = ?1 AND provider_id = 'credential' AND password_hash = ?2`,
    )
    .bind(accountId, oldHash, newHash, nowMs);

/** Changes a password that is still the old one, and then ends every session of the account but one. */
export const changePasswordStatements = (
  db: D1Database,
  change: PasswordChange & { readonly sessionId: string },
): D1PreparedStatement[] => [
  replacePasswordStatement(db, change),
  db
    .prepare(
      `DELETE FROM account_sessions WHERE account_id = ?1 AND session_id <> ?2 AND EXISTS (
         SELECT 1 FROM account_credentials WHERE account_id = ?1 AND password_hash = ?3)`,
    )
    .bind(change.accountId, change.sessionId, change.newHash),
];
