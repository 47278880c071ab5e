import {
  createShareBody,
  createShareReplyBody,
  mailedShareSchema,
  mailShareBody,
  resolveCommentBody,
  shareCommentListSchema,
  shareCommentSchema,
  shareListSchema,
  shareSchema,
  updateShareBody,
} from "#api/schemas/share.ts";
import { mailShare } from "#domains/shares/mail-share.ts";
import {
  commentAsMember,
  createShare,
  endShare,
  listComments,
  listShares,
  resolveAsMember,
  updateShare,
} from "#domains/shares/manage-shares.ts";
import { presentComment } from "#domains/shares/share.ts";
import type { Share } from "#domains/shares/store.ts";
import { ownerAccount } from "#domains/workspaces/confirmed-owner.ts";
import { apiKey } from "#interface/http/access.ts";
import { causeOf } from "#interface/http/audit-cause.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { countMailToOthers } from "#interface/http/login-throttle.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { sendMail } from "#interface/http/session.ts";
import { pageOfShare, shareRequestOf, showShare } from "#interface/http/share-page.ts";
import { visitRoutes } from "./visits.ts";

const createShareRoute = defineRoute({
  operationId: "createShare",
  route: "POST /api/v1/artifacts/{artifactId}/shares",
  summary: "Create a share link",
  description:
    "People without an account can open the link, see the pack's images with a watermark (at most 1080 pixels a " +
    "side), comment, approve, or request changes. With `isClean` they see the final stills instead. The link " +
    "expires with the pack's files at the latest.",
  access: apiKey("deliveries:write", { isLiveOnly: true }),
  needs: ["storage", "downloadSigning"],
  errors: ["ARTIFACT_NOT_FOUND", "ARTIFACT_NOT_READY", "SHARE_LIMIT_REACHED"],
  json: createShareBody,
  responses: { 201: success(shareSchema, "The link") },
  handler: async (c, { db, param: { artifactId }, json }) => {
    const request = shareRequestOf(json);
    const share = acceptedValue(await createShare(db, c.get("principal"), artifactId, request, causeOf(c)));
    return succeed(c, 201, await showShare(c, share));
  },
});

const listSharesRoute = defineRoute({
  operationId: "listShares",
  route: "GET /api/v1/artifacts/{artifactId}/shares",
  summary: "List a pack's share links",
  description:
    "Newest first, including expired and revoked links, each with its latest verdict and number of comments.",
  access: apiKey("artifacts:read", { isLiveOnly: true }),
  needs: ["downloadSigning"],
  errors: ["ARTIFACT_NOT_FOUND"],
  responses: { 200: success(shareListSchema, "The links") },
  handler: async (c, { db, workspaceId, param: { artifactId } }) => {
    const found = acceptedValue(await listShares(db, workspaceId, artifactId, c.var.nowMs));
    return succeed(c, 200, { items: await Promise.all(found.map((share) => showShare(c, share))) });
  },
});

const updateShareRoute = defineRoute({
  operationId: "updateShare",
  route: "PATCH /api/v1/artifacts/{artifactId}/shares/{shareId}",
  summary: "Change a share link",
  description: "Changes what the review page shows. Absent members stay as they are. The URL stays the same.",
  access: apiKey("deliveries:write", { isLiveOnly: true }),
  needs: ["downloadSigning"],
  errors: ["SHARE_NOT_FOUND"],
  json: updateShareBody,
  responses: { 200: success(shareSchema, "The changed link") },
  handler: async (
    c,
    { db, workspaceId, param: { artifactId, shareId }, json: { dueAt, message, isClean } },
  ) => {
    const changes = {
      ...{ message, isClean },
      dueAt: typeof dueAt === "string" ? Date.parse(dueAt) : dueAt,
    };
    const share = acceptedValue(
      await updateShare(db, { workspaceId, artifactId, shareId }, changes, causeOf(c)),
    );
    return succeed(c, 200, await showShare(c, share));
  },
});

const revokeShareRoute = defineRoute({
  operationId: "revokeShare",
  route: "DELETE /api/v1/artifacts/{artifactId}/shares/{shareId}",
  summary: "Revoke a share link",
  description: "The link stops working. Its comments can still be read. Revoking it again changes nothing.",
  access: apiKey("deliveries:write", { isLiveOnly: true }),
  needs: ["downloadSigning"],
  errors: ["SHARE_NOT_FOUND"],
  responses: { 200: success(shareSchema, "The revoked link") },
  handler: async (c, { db, workspaceId, param: { artifactId, shareId } }) => {
    const share = acceptedValue(await endShare(db, { workspaceId, artifactId, shareId }, c.var.nowMs));
    return succeed(c, 200, await showShare(c, share));
  },
});

const mailShareRoute = defineRoute({
  operationId: "mailShare",
  route: "POST /api/v1/artifacts/{artifactId}/shares/{shareId}/mail",
  summary: "Email a share link",
  description:
    "Emails an open link to an approver, with your message. The workspace's owner must have a confirmed address. A " +
    "person who created the link in the Studio gets an email about each verdict. Emails count by workspace " +
    "(`workspace-mail`), by the account that owns it (`account-mail`), and by address.",
  access: apiKey("deliveries:write", { isLiveOnly: true }),
  needs: ["downloadSigning", "mail"],
  errors: ["SHARE_NOT_FOUND", "LINK_INVALID", "EMAIL_NOT_CONFIRMED", "MAIL_LIMIT_REACHED"],
  json: mailShareBody,
  responses: { 202: success(mailedShareSchema, "The recipient") },
  handler: async (
    c,
    { db, workspaceId, param: { artifactId, shareId }, json: { email, language, message } },
  ) => {
    const { encryption } = requireCapability(c, "mail");
    const owner = await ownerAccount.first(db, { workspaceId });
    await countMailToOthers(c, owner?.accountId ?? null);
    const deps = { db, encryption, pageOf: (share: Share) => pageOfShare(c, share) };
    const id = { workspaceId, artifactId, shareId };
    const mail = { email, language, message: message || null };
    acceptedValue(await mailShare(deps, c.get("principal"), id, mail, c.var.nowMs));
    sendMail(c, db);
    return succeed(c, 202, { email });
  },
});

const listShareCommentsRoute = defineRoute({
  operationId: "listShareComments",
  route: "GET /api/v1/artifacts/{artifactId}/shares/{shareId}/comments",
  summary: "List the comments of a share link",
  description: "Comments and verdicts, oldest first.",
  access: apiKey("artifacts:read", { isLiveOnly: true }),
  errors: ["SHARE_NOT_FOUND"],
  responses: { 200: success(shareCommentListSchema, "The comments") },
  handler: async (c, { db, workspaceId, param: { artifactId, shareId } }) => {
    const found = acceptedValue(await listComments(db, { workspaceId, artifactId, shareId }));
    return succeed(c, 200, { items: found.map(presentComment) });
  },
});

const replyToShareRoute = defineRoute({
  operationId: "replyToShare",
  route: "POST /api/v1/artifacts/{artifactId}/shares/{shareId}/comments",
  summary: "Reply to visitors",
  description:
    "A comment of the workspace, or a reply to a visitor's comment, while the link is open. Its author is the " +
    "account if a session's key sends it, otherwise the workspace.",
  access: apiKey("deliveries:write", { isLiveOnly: true }),
  errors: ["SHARE_NOT_FOUND", "COMMENT_NOT_FOUND", "LINK_INVALID", "COMMENT_LIMIT_REACHED"],
  json: createShareReplyBody,
  responses: { 201: success(shareCommentSchema, "The comment") },
  handler: async (c, { db, workspaceId, param: { artifactId, shareId }, json }) => {
    const id = { workspaceId, artifactId, shareId };
    const said = await commentAsMember(db, c.get("principal"), id, json, c.var.nowMs);
    return succeed(c, 201, presentComment(acceptedValue(said)));
  },
});

const resolveShareCommentRoute = defineRoute({
  operationId: "resolveShareComment",
  route: "PATCH /api/v1/artifacts/{artifactId}/shares/{shareId}/comments/{commentId}",
  summary: "Resolve or reopen a comment",
  description: "Replies are resolved and reopened with the comment that they reply to.",
  access: apiKey("deliveries:write", { isLiveOnly: true }),
  errors: ["SHARE_NOT_FOUND", "COMMENT_NOT_FOUND"],
  json: resolveCommentBody,
  responses: { 200: success(shareCommentSchema, "The comment") },
  handler: async (
    c,
    { db, workspaceId, param: { artifactId, shareId, commentId }, json: { isResolved } },
  ) => {
    const id = { workspaceId, artifactId, shareId, commentId };
    const resolved = await resolveAsMember(db, id, isResolved, c.var.nowMs);
    return succeed(c, 200, presentComment(acceptedValue(resolved)));
  },
});

export const routes = [
  ...[createShareRoute, listSharesRoute, updateShareRoute, revokeShareRoute, mailShareRoute],
  ...[listShareCommentsRoute, replyToShareRoute, resolveShareCommentRoute],
  ...visitRoutes,
];
