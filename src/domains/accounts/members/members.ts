import { uint8ArrayToBase64 } from "uint8array-extras";
import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { MailLanguage } from "#api/mail-rules.ts";
import type { InvitationView, MemberListView } from "#api/schemas/workspace.ts";
import { auditRow, type Cause } from "#domains/audit/audit-store.ts";
import { pauseDestinationStatements } from "#domains/deliveries/destination-store.ts";
import { mailLimitReached, mailStatementWhere, sealLink } from "#domains/mail/outbox.ts";
import { toTimestamp } from "#platform/clock.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import type { AccountMail } from "../account-mail.ts";
import type { Membership } from "./membership.ts";
import {
  assertWorkspaceLimit,
  auditInvitation,
  auditJoining,
  auditRemoval,
  deleteInvitation,
  deleteMember,
  deleteUnmailedInvitation,
  deleteUsedInvitation,
  findMembership,
  insertInvitation,
  insertInvitationMail,
  insertInvitedMember,
  invitedWorkspace,
  membersByWorkspace,
  openInvitations,
  type StoredInvitation,
  type StoredMember,
  workspaceName,
} from "./membership-store.ts";

const CODE_PREFIX = "cpi_";
const CODE_BYTES = 32;

/** A new code: 256 random bits as text. */
function generateCode(): string {
  const random = crypto.getRandomValues(new Uint8Array(CODE_BYTES));
  return CODE_PREFIX + uint8ArrayToBase64(random, { urlSafe: true });
}

/** An invitation to mail: recipient, inviter and code. */
export interface MailedInvitation {
  readonly mail: AccountMail;
  /** In lower case. */
  readonly email: string;
  readonly language: MailLanguage;
  readonly inviterName: string;
}

/** Inserts an invitation's mail, and withdraws the invitation if its address is over the mail limit. */
async function mailStatements(
  db: D1Database,
  workspaceId: string,
  { invitationId, expiresAt }: StoredInvitation,
  code: string,
  { mail, email: address, language, inviterName }: MailedInvitation,
  nowMs: number,
): Promise<readonly D1PreparedStatement[]> {
  const reference = `invitation:${invitationId}`;
  const workspace = await workspaceName.first(latest(db), { workspaceId });
  const sent = mailStatementWhere(db, insertInvitationMail, invitationId, {
    ...{ reference, kind: "invitation", address, language, nowMs, expiresAtMs: expiresAt },
    facts: { workspaceName: workspace?.name ?? "", inviterName },
    sealed: await sealLink(mail.encryption, reference, `${mail.origin}/invitation#${code}`),
  });
  return [sent, deleteUnmailedInvitation.bind(db, { invitationId, reference })];
}

/**
 * Invites anyone who presents the code, which is shown once and mailed if an address is given. The response does not
 * reveal whether that address has an account. 409 MEMBER_LIMIT_REACHED, 429 MAIL_LIMIT_REACHED; neither creates an
 * invitation.
 */
export async function invite(
  db: D1Database,
  workspaceId: string,
  mailed: MailedInvitation | null,
  cause: Cause,
): Promise<Outcome<StoredInvitation & { readonly code: string }>> {
  const { nowMs } = cause;
  const code = generateCode();
  const invitation = {
    invitationId: newId(),
    createdAt: nowMs,
    expiresAt: nowMs + LIMITS.invitationLifetimeMs,
  };
  const codeHash = await sha256Hex(code);
  const max = LIMITS.membersPerWorkspaceMax;
  const [stored, sent] = await db.batch([
    insertInvitation.bind(db, { ...invitation, workspaceId, codeHash, max }),
    ...(mailed === null ? [] : await mailStatements(db, workspaceId, invitation, code, mailed, nowMs)),
    auditInvitation.bind(db, invitationEvent("member.invited", workspaceId, invitation.invitationId, cause)),
  ]);
  if (stored?.meta.changes === 1) {
    const isSent = mailed === null || sent?.meta.changes === 1;
    return isSent ? accept({ ...invitation, code }) : mailLimitReached(mailed.email);
  }
  return refuse(
    "MEMBER_LIMIT_REACHED",
    `A workspace has at most ${LIMITS.membersPerWorkspaceMax} members and open invitations.`,
  );
}

const noInvitation = () =>
  refuse("INVITATION_NOT_FOUND", "The invitation does not exist, was used or withdrawn, or has expired.");

const invitationEvent = (
  type: "member.invited" | "member.invitation_withdrawn",
  workspaceId: string,
  invitationId: string,
  cause: Cause,
) => auditRow(cause, { type, workspaceId, subjectId: invitationId });

/** Withdraws an open invitation. 404 INVITATION_NOT_FOUND. */
export async function withdrawInvitation(
  db: D1Database,
  workspaceId: string,
  invitationId: string,
  cause: Cause,
): Promise<Outcome<{ readonly invitationId: string }>> {
  const event = invitationEvent("member.invitation_withdrawn", workspaceId, invitationId, cause);
  const [, deleted] = await db.batch([
    auditInvitation.bind(db, event),
    deleteInvitation.bind(db, { workspaceId, invitationId }),
  ]);
  return deleted?.meta.changes === 1 ? accept({ invitationId }) : noInvitation();
}

/**
 * Accepts an invitation and returns its workspace. If the account is a member already, nothing changes and the code
 * stays valid. 404 INVITATION_NOT_FOUND, 409 WORKSPACE_LIMIT_REACHED.
 */
export async function acceptInvitation(
  db: D1Database,
  accountId: string,
  code: string,
  cause: Cause,
): Promise<Outcome<{ readonly workspaceId: string }>> {
  const { nowMs } = cause;
  const codeHash = await sha256Hex(code);
  const invited = await invitedWorkspace.first(latest(db), { codeHash, nowMs });
  if (invited === null) return noInvitation();
  const { workspaceId } = invited;
  if ((await findMembership(db, accountId, workspaceId)) !== null) return accept({ workspaceId });
  const joined = { workspaceId, type: "member.joined", subjectId: accountId } as const;
  try {
    // Limits all memberships, not only owned workspaces.
    const max = LIMITS.membershipsPerAccountMax;
    await db.batch([
      assertWorkspaceLimit.bind(db, { accountId, ownedMax: max, joinedMax: max }),
      auditJoining.bind(db, { ...auditRow(cause, joined), codeHash }),
      insertInvitedMember.bind(db, { codeHash, accountId, nowMs }),
      deleteUsedInvitation.bind(db, { codeHash }),
    ]);
  } catch (thrown) {
    if (!isGuardViolation(thrown, "workspace_limit")) throw thrown;
    return refuse(
      "WORKSPACE_LIMIT_REACHED",
      `An account is in at most ${LIMITS.membershipsPerAccountMax} workspaces.`,
    );
  }
  // Another account may have used the code meanwhile.
  return (await findMembership(db, accountId, workspaceId)) === null
    ? noInvitation()
    : accept({ workspaceId });
}

/**
 * Removes a member. An owner may remove any other member, and a member may leave. The same batch pauses their
 * destinations. 403 ROLE_INSUFFICIENT, 404 MEMBER_NOT_FOUND, 409 OWNER_NOT_REMOVABLE.
 */
export async function removeMember(
  db: D1Database,
  remover: Membership,
  accountId: string,
  cause: Cause,
): Promise<Outcome<{ readonly accountId: string }>> {
  if (remover.role !== "owner" && remover.accountId !== accountId) {
    return refuse("ROLE_INSUFFICIENT", "Only an owner can remove others from a workspace.");
  }
  const { workspaceId } = remover;
  const type = remover.accountId === accountId ? "member.left" : "member.removed";
  const results = await db.batch([
    ...pauseDestinationStatements(db, workspaceId, accountId, cause.nowMs),
    auditRemoval.bind(db, auditRow(cause, { workspaceId, type, subjectId: accountId })),
    deleteMember.bind(db, { workspaceId, accountId }),
  ]);
  // A trigger may record the change in the directory; D1 counts that row too.
  if ((results.at(-1)?.meta.changes ?? 0) > 0) return accept({ accountId });
  const member = await findMembership(db, accountId, workspaceId);
  return member === null
    ? refuse("MEMBER_NOT_FOUND", "The workspace has no member with this id.")
    : refuse("OWNER_NOT_REMOVABLE", "The owner of a workspace cannot be removed.");
}

export interface WorkspacePeople {
  readonly members: readonly StoredMember[];
  readonly invitations: readonly StoredInvitation[];
}

export async function listMembers(
  db: D1Database,
  workspaceId: string,
  nowMs: number,
): Promise<WorkspacePeople> {
  const [members, invitations] = await Promise.all([
    membersByWorkspace.all(db, { workspaceId, limit: LIMITS.membersPerWorkspaceMax }),
    openInvitations.all(db, { workspaceId, nowMs, limit: LIMITS.membersPerWorkspaceMax }),
  ]);
  return { members, invitations };
}

export const presentInvitation = (invitation: StoredInvitation): InvitationView => ({
  invitationId: invitation.invitationId,
  createdAt: toTimestamp(invitation.createdAt),
  expiresAt: toTimestamp(invitation.expiresAt),
});

export const presentMembers = ({ members, invitations }: WorkspacePeople): MemberListView => ({
  items: members.map(({ createdAt, ...member }) => ({ ...member, createdAt: toTimestamp(createdAt) })),
  invitations: invitations.map(presentInvitation),
});
