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
  description: "First comers first, and the invitations that are open. Any member may ask.",
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
  summary: "Take a member out of a workspace",
  description:
    "An owner takes any member out, a member themselves. The workspace is closed to them at once, " +
    "and destinations that they made are paused until an owner enables them.",
  access: memberWith(null),
  errors: ["ROLE_INSUFFICIENT", "MEMBER_NOT_FOUND", "OWNER_NOT_REMOVABLE"],
  responses: { 200: success(removedMemberSchema, "Who was taken out") },
  handler: async (c, { param: { accountId } }) => {
    const { db } = requireCapability(c, "accounts");
    const remover = c.get("membership");
    const removed = acceptedValue(await removeMember(db, remover, accountId, causeOf(c)));
    c.env.recentKeys.deleteOfAccount(accountId);
    return succeed(c, 200, removed);
  },
});

/**
 * What an owner mails an invitation with: nobody sends mail to others before their own address is confirmed. Counts it
 * for the account, its recipient and the workspace. 501, 403 EMAIL_NOT_CONFIRMED, 429.
 */
async function mayMail(c: Context<AppEnv>, email: string) {
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
  summary: "Ask somebody into a workspace",
  description:
    "An owner's. Gives a code for one person, good for three days; whoever accepts it becomes a member. " +
    "The code is in this answer, and with `email` in the link of a mail, and nowhere else. Only an owner whose own " +
    "address is confirmed has it mailed. Mails count by workspace, account and address.",
  access: OWNER,
  json: createInvitationBody,
  isJsonOptional: true,
  errors: ["MEMBER_LIMIT_REACHED", "EMAIL_NOT_CONFIRMED", "MAIL_LIMIT_REACHED"],
  responses: { 201: success(createdInvitationSchema, "The invitation with its code") },
  handler: async (c, { workspaceId, json }) => {
    const { db } = requireCapability(c, "accounts");
    const { session } = c.var;
    const { email, language = session.language } = json;
    const mailed = email === undefined ? null : { ...(await mayMail(c, email)), email, language };
    const { code, ...invitation } = acceptedValue(await invite(db, workspaceId, mailed, causeOf(c)));
    if (mailed !== null) sendMail(c, db);
    return succeed(c, 201, { ...presentInvitation(invitation), code });
  },
});

export const withdrawInvitationRoute = defineRoute({
  operationId: "withdrawInvitation",
  route: "POST /api/account/workspaces/{workspaceId}/invitations/{invitationId}/withdraw",
  summary: "Withdraw an invitation",
  description: "An owner's. Its code opens nothing from now on.",
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
  description: "Makes the account a member of the workspace. A code is good for one account.",
  access: SESSION,
  errors: ["INVITATION_NOT_FOUND", "WORKSPACE_LIMIT_REACHED"],
  json: acceptInvitationBody,
  responses: { 200: success(workspaceSchema, "The workspace that is open now") },
  handler: async (c, { json }) => {
    const { db } = requireCapability(c, "accounts");
    const { accountId } = c.var.session;
    const accepted = acceptedValue(await acceptInvitation(db, accountId, json.code, causeOf(c)));
    const workspace = acceptedValue(await getWorkspace(db, accountId, accepted.workspaceId));
    return succeed(c, 200, presentWorkspace(workspace));
  },
});
