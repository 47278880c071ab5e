import type { Role } from "./membership.ts";

/** SQL of the workspaces of an account, and of the people of a workspace. */

/** A workspace as one of its people sees it. */
export interface StoredWorkspace {
  readonly workspaceId: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: number;
}

/** The account's workspaces, or the one of them, newest first. */
export async function findWorkspaces(
  db: D1Database,
  accountId: string,
  workspaceId: string | null,
  limit: number,
): Promise<readonly StoredWorkspace[]> {
  const { results } = await db
    .withSession("first-primary")
    .prepare(
      `SELECT w.workspace_id AS workspaceId, w.name, m.role, w.created_at AS createdAt
       FROM workspace_members m JOIN workspaces w ON w.workspace_id = m.workspace_id
       WHERE m.account_id = ?1 AND (?2 IS NULL OR m.workspace_id = ?2)
       ORDER BY w.created_at DESC, w.workspace_id DESC LIMIT ?3`,
    )
    .bind(accountId, workspaceId, limit)
    .all<StoredWorkspace>();
  return results;
}

/**
 * Fails the batch it stands in when the account owns or is in as many workspaces as it may: guard `workspace_limit`.
 */
export const requireRoomStatement = (
  db: D1Database,
  accountId: string,
  ownedMax: number,
  joinedMax: number,
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO batch_guards SELECT 'workspace_limit' WHERE (
         SELECT COUNT(*) < ?3 AND COALESCE(SUM(role = 'owner'), 0) < ?2 FROM workspace_members WHERE account_id = ?1
       ) IS NOT TRUE`,
    )
    .bind(accountId, ownedMax, joinedMax);

export interface StoredMember {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: number;
}

/** The people of a workspace, first comers first. */
export async function findMembers(
  db: D1Database,
  workspaceId: string,
  limit: number,
): Promise<readonly StoredMember[]> {
  const { results } = await db
    .prepare(
      `SELECT a.account_id AS accountId, a.name, a.email, m.role, m.created_at AS createdAt
       FROM workspace_members m JOIN accounts a ON a.account_id = m.account_id
       WHERE m.workspace_id = ?1 ORDER BY m.created_at, a.account_id LIMIT ?2`,
    )
    .bind(workspaceId, limit)
    .all<StoredMember>();
  return results;
}

/** Takes a member who is no owner out; changes no row when there is none of this id. */
export const deleteMemberStatement = (
  db: D1Database,
  workspaceId: string,
  accountId: string,
): D1PreparedStatement =>
  db
    .prepare("DELETE FROM workspace_members WHERE workspace_id = ?1 AND account_id = ?2 AND role = 'member'")
    .bind(workspaceId, accountId);

export interface StoredInvitation {
  readonly invitationId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Open invitations of a workspace, newest first. */
export async function findInvitations(
  db: D1Database,
  workspaceId: string,
  nowMs: number,
  limit: number,
): Promise<readonly StoredInvitation[]> {
  const { results } = await db
    .prepare(
      `SELECT invitation_id AS invitationId, created_at AS createdAt, expires_at AS expiresAt
       FROM workspace_invitations WHERE workspace_id = ?1 AND expires_at > ?2
       ORDER BY invitation_id DESC LIMIT ?3`,
    )
    .bind(workspaceId, nowMs, limit)
    .all<StoredInvitation>();
  return results;
}

/** Stores an invitation while members and open invitations are fewer than `max`; false otherwise. */
export const insertInvitation = async (
  db: D1Database,
  invitation: StoredInvitation & { readonly workspaceId: string; readonly codeHash: string },
  max: number,
): Promise<boolean> => {
  const { meta } = await db
    .prepare(
      `INSERT INTO workspace_invitations (invitation_id, workspace_id, code_hash, created_at, expires_at)
       SELECT ?1, ?2, ?3, ?4, ?5
       WHERE (SELECT COUNT(*) FROM workspace_members WHERE workspace_id = ?2)
         + (SELECT COUNT(*) FROM workspace_invitations WHERE workspace_id = ?2 AND expires_at > ?4) < ?6`,
    )
    .bind(
      invitation.invitationId,
      invitation.workspaceId,
      invitation.codeHash,
      invitation.createdAt,
      invitation.expiresAt,
      max,
    )
    .run();
  return meta.changes === 1;
};

/** Withdraws an invitation; false when the workspace has none of this id. */
export const deleteInvitation = async (
  db: D1Database,
  workspaceId: string,
  invitationId: string,
): Promise<boolean> => {
  const { meta } = await db
    .prepare("DELETE FROM workspace_invitations WHERE workspace_id = ?1 AND invitation_id = ?2")
    .bind(workspaceId, invitationId)
    .run();
  return meta.changes === 1;
};

/** The workspace that a code opens now, or null. */
export const findInvitedWorkspace = async (
  db: D1Database,
  codeHash: string,
  nowMs: number,
): Promise<string | null> => {
  const row = await db
    .withSession("first-primary")
    .prepare(
      "SELECT workspace_id AS workspaceId FROM workspace_invitations WHERE code_hash = ?1 AND expires_at > ?2",
    )
    .bind(codeHash, nowMs)
    .first<{ workspaceId: string }>();
  return row?.workspaceId ?? null;
};

/**
 * Makes the account a member by a code that still stands, and uses the code up. In one batch with
 * `requireRoomStatement`; of two accounts with one code the first gets in.
 */
export const takeInvitationStatements = (
  db: D1Database,
  codeHash: string,
  accountId: string,
  nowMs: number,
): readonly D1PreparedStatement[] => [
  db
    .prepare(
      `INSERT INTO workspace_members (workspace_id, account_id, role, created_at)
       SELECT workspace_id, ?2, 'member', ?3 FROM workspace_invitations WHERE code_hash = ?1 AND expires_at > ?3
       ON CONFLICT DO NOTHING`,
    )
    .bind(codeHash, accountId, nowMs),
  db.prepare("DELETE FROM workspace_invitations WHERE code_hash = ?1").bind(codeHash),
];
