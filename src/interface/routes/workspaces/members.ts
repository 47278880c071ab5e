import type { Context } from "hono";
import {
  acceptInvitationBody,
  createdInvitationSchema,
  createInvitationBody,
  memberListSchema,
  removedMemberSchema,
  withdrawnInvitationSchema,
  workspaceSchema,
} from "#api/schemas/workspace.ts";
import {
  acceptInvitation,
  invite,
  listMembers,
  presentInvitation,
  presentMembers,
  removeMember,
  withdrawInvitation,
} from "#domains/accounts/members/members.ts";
import { getWorkspace, presentWorkspace } from "#domains/accounts/members/workspaces.ts";
import { memberWith, OWNER, SESSION } from "#interface/http/access.ts";
import { causeOf } from "#interface/http/audit-cause.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { acceptedValue, refused, succeed } from "#interface/http/envelope.ts";
import { countInvitationMail } from "#interface/http/login-throttle.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { sendMail } from "#interface/http/session.ts";

export const listMembersRoute = defineRoute({
  operationId: "listMembers",
  route: "GET /api/account/workspaces/{workspaceId}/members",
  summary: "List a workspace's members",
  description: "Members in the order in which they joined, and open invitations. Any member may read it.",
  access: memberWith(null),
  responses: { 200: success(memberListSchema, "The members") },
  handler: async (c, { workspaceId }) => {
    const { db } = requireCapability(c, "accounts");
    return succeed(c, 200, presentMembers(await listMembers(db, workspaceId, c.var.nowMs)));
  },
});

export const removeMemberRoute = defineRoute({
  operationId: "removeMember",
  route: "POST /api/account/workspaces/{workspaceId}/members/{accountId}/remove",
  summary: "Remove a member from a workspace",
  description:
    "An owner can remove any member; a member can remove themselves. They lose access at once, and destinations " +
    "that they created are paused until an owner enables them.",
  access: memberWith(null),
  errors: ["ROLE_INSUFFICIENT", "MEMBER_NOT_FOUND", "OWNER_NOT_REMOVABLE"],
  responses: { 200: success(removedMemberSchema, "The removed account") },
  handler: async (c, { param: { accountId } }) => {
    const { db } = requireCapability(c, "accounts");
    const remover = c.get("membership");
    const removed = acceptedValue(await removeMember(db, remover, accountId, causeOf(c)));
    c.env.recentKeys.deleteOfAccount(accountId);
    return succeed(c, 200, removed);
  },
});

/**
 * Prepares an emailed invitation: requires the owner's confirmed address, and counts the email for account, recipient
 * and workspace. Throws 501 without mail, 403 EMAIL_NOT_CONFIRMED, or 429 when a window is full.
 */
async function prepareInvitationMail(c: Context<AppEnv>, email: string) {
  const { encryption } = requireCapability(c, "mail");
  const { isEmailConfirmed, name: inviterName } = c.var.session;
  if (!isEmailConfirmed) {
    throw refused("EMAIL_NOT_CONFIRMED", "The account's own address is not confirmed.");
  }
  await countInvitationMail(c, email);
  return { mail: { encryption, origin: publicOrigin(c) }, inviterName };
}

export const createInvitationRoute = defineRoute({
  operationId: "createInvitation",
  route: "POST /api/account/workspaces/{workspaceId}/invitations",
  summary: "Invite a person to a workspace",
  description:
    "For owners. Creates a code for one person, valid for three days; the account that accepts it becomes a " +
    "member. The code is returned only here, and with `email` also sent in the link of an email. Sending it " +
    "requires that the owner's own address is confirmed. Emails count by workspace, account and address.",
  access: OWNER,
  json: createInvitationBody,
  isJsonOptional: true,
  errors: ["MEMBER_LIMIT_REACHED", "EMAIL_NOT_CONFIRMED", "MAIL_LIMIT_REACHED"],
  responses: { 201: success(createdInvitationSchema, "The invitation with its code") },
  handler: async (c, { workspaceId, json }) => {
    const { db } = requireCapability(c, "accounts");
    const { session } = c.var;
    const { email, language = session.language } = json;
    const mailed =
      email === undefined ? null : { ...(await prepareInvitationMail(c, email)), email, language };
    const { code, ...invitation } = acceptedValue(await invite(db, workspaceId, mailed, causeOf(c)));
    if (mailed !== null) sendMail(c, db);
    return succeed(c, 201, { ...presentInvitation(invitation), code });
  },
});

export const withdrawInvitationRoute = defineRoute({
  operationId: "withdrawInvitation",
  route: "POST /api/account/workspaces/{workspaceId}/invitations/{invitationId}/withdraw",
  summary: "Withdraw an invitation",
  description: "For owners. Its code no longer works.",
  access: OWNER,
  errors: ["INVITATION_NOT_FOUND"],
  responses: { 200: success(withdrawnInvitationSchema, "The invitation that was withdrawn") },
  handler: async (c, { workspaceId, param: { invitationId } }) => {
    const { db } = requireCapability(c, "accounts");
    return succeed(
      c,
      200,
      acceptedValue(await withdrawInvitation(db, workspaceId, invitationId, causeOf(c))),
    );
  },
});

export const acceptInvitationRoute = defineRoute({
  operationId: "acceptInvitation",
  route: "POST /api/account/invitations/accept",
  summary: "Accept an invitation",
  description: "Makes the account a member of the workspace. A code works for one account.",
  access: SESSION,
  errors: ["INVITATION_NOT_FOUND", "WORKSPACE_LIMIT_REACHED"],
  json: acceptInvitationBody,
  responses: { 200: success(workspaceSchema, "The workspace that the account joined") },
  handler: async (c, { json }) => {
    const { db } = requireCapability(c, "accounts");
    const { accountId } = c.var.session;
    const accepted = acceptedValue(await acceptInvitation(db, accountId, json.code, causeOf(c)));
    const workspace = acceptedValue(await getWorkspace(db, accountId, accepted.workspaceId));
    return succeed(c, 200, presentWorkspace(workspace));
  },
});
