import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { uuidSchema } from "#api/schemas/primitives.ts";
import {
  createShareCommentBody,
  ownShareCommentSchema,
  resolveOwnCommentBody,
  shareCommentSchema,
  sharedPackSchema,
  shareTokenParams,
} from "#api/schemas/share.ts";
import { openVerified, verifyFile } from "#domains/artifacts/stored-file.ts";
import { enqueueDeliveries } from "#domains/deliveries/dispatch-deliveries.ts";
import { protectedPicture } from "#domains/shares/protected-picture.ts";
import { presentComment, presentVisit } from "#domains/shares/share.ts";
import { findShare, type SignedShare } from "#domains/shares/share-token.ts";
import {
  comment,
  noLogo,
  readShareLink,
  resolveOwnComment,
  signComment,
  visitFile,
  visitLogo,
  visitShare,
} from "#domains/shares/visits-and-approvals.ts";
import { PUBLIC } from "#interface/http/access.ts";
import { countClient, countNetwork } from "#interface/http/client-network.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { finishAfterDisconnect } from "#interface/http/context.ts";
import { contentEtag, isNoneMatchHit } from "#interface/http/downloads.ts";
import { acceptedValue, RefusedRequest, succeed } from "#interface/http/envelope.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { sendMail } from "#interface/http/session.ts";
import { routeToDatabase } from "#interface/http/workspace-database.ts";
import { withRendererSoon } from "#platform/render-engine.ts";

/** Shared by the declarations of visits. The link is the permission; no key or session is accepted. */
const VISIT = { access: PUBLIC, ignoresOtherParameters: true } as const;

const STILL_TYPES = ["image/png", "image/jpeg", "image/webp"];
/** Cached, but revalidated each time, so that a revoked link shows nothing. */
const REVALIDATED = "private, no-cache, no-transform";

const WINDOWS = {
  visits: ["link-visits-site", "link-visits-allocation"],
  comments: ["link-comments-site", "link-comments-allocation"],
} as const;

/** Verifies a link. Throws 403 LINK_INVALID. */
const readLink = async (c: Context<AppEnv>, token: string): Promise<SignedShare> =>
  acceptedValue(await readShareLink(requireCapability(c, "downloadSigning"), token, c.var.nowMs));

/** Counts a request by the visitor's network, and by link and wider networks. */
async function countVisit(c: Context<AppEnv>, { shareId }: SignedShare, family: keyof typeof WINDOWS) {
  const { current } = requireCapability(c, "downloadSigning");
  await countNetwork(c, current, family);
  await countClient(c, current, WINDOWS[family], `share:${shareId}:`);
}

/** Switches the request to the database of the share's workspace; returns the share's id. */
async function enterShare(c: Context<AppEnv>, { shareId, madeAt }: SignedShare): Promise<string> {
  const { databases } = requireCapability(c, "database");
  const found = databases.shards.size === 0 ? null : await findShare(databases, madeAt, shareId);
  if (found !== null) routeToDatabase(c, found);
  return shareId;
}

/** Verifies the link of a read, counts the request, and switches to the share's database. Returns the share's id. */
async function visit(c: Context<AppEnv>, token: string): Promise<string> {
  const link = await readLink(c, token);
  await countVisit(c, link, "visits");
  return enterShare(c, link);
}

/** Verifies the link of a write and counts the request, before the body is read. */
const countWriter = createMiddleware<AppEnv>(async (c, next) => {
  requireCapability(c, "database");
  requireCapability(c, "rateLimit");
  const link = await readLink(c, c.req.param("token") ?? "");
  await countVisit(c, link, "comments");
  c.set("signedShare", link);
  await next();
});

const getSharedPackRoute = defineRoute({
  operationId: "getSharedPack",
  route: "GET /api/v1/shared/{token}",
  summary: "View a shared pack",
  description:
    "The pack's images, who asks for approval, and all comments. Requests count by network in the route family " +
    "`visits`, and by link and site in `link-visits-site`.",
  ...VISIT,
  needs: ["database", "rateLimit", "downloadSigning"],
  errors: ["LINK_INVALID", "RATE_LIMITED"],
  params: z.object(shareTokenParams),
  responses: { 200: success(sharedPackSchema, "The pack as a visitor sees it") },
  handler: async (c, { param: { token } }) => {
    const shareId = await visit(c, token);
    const { db } = requireCapability(c, "database");
    const visited = acceptedValue(await visitShare(db, shareId, c.var.nowMs));
    return succeed(c, 200, presentVisit(visited, `${publicOrigin(c)}/api/v1/shared/${token}`));
  },
});

const getSharedFileRoute = defineRoute({
  operationId: "getSharedFile",
  route: "GET /api/v1/shared/{token}/files/{fileId}",
  summary: "Get an image of a shared pack",
  description:
    "The watermarked still, at most 1080 pixels a side. It is rendered once per pack and stored as long as its " +
    "files. For a link with `isClean`, the final still.",
  ...VISIT,
  needs: ["database", "storage", "rateLimit", "downloadSigning"],
  errors: ["LINK_INVALID", "FILE_NOT_FOUND", "FILE_CORRUPT", "RATE_LIMITED", "SERVICE_BUSY"],
  params: z.object({ ...shareTokenParams, fileId: uuidSchema }),
  ifNoneMatch: "`ETag` of an earlier response. Returns 304 while the link is open.",
  responses: {
    200: { description: "The image", bytes: STILL_TYPES },
    304: { description: "The visitor has this image" },
  },
  handler: async (c, { param: { token, fileId } }) => {
    const shareId = await visit(c, token);
    const { db } = requireCapability(c, "database");
    const { share, file } = acceptedValue(await visitFile(db, shareId, fileId, c.var.nowMs));
    const etag = share.isClean ? contentEtag(file.sha256) : `"${file.fileId}"`;
    const headers = { ETag: etag, "Cache-Control": REVALIDATED };
    if (isNoneMatchHit(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
    const bucket = requireCapability(c, "storage");
    if (share.isClean) {
      const bytes = acceptedValue(await openVerified(bucket, acceptedValue(await verifyFile(bucket, file))));
      return c.body(bytes, 200, { ...headers, "Content-Type": file.contentType });
    }
    const drawing = protectedPicture(bucket, withRendererSoon, share, file);
    const picture = acceptedValue(await finishAfterDisconnect(c, drawing));
    const bytes = picture instanceof Uint8Array ? new Uint8Array(picture) : picture;
    return c.body(bytes, 200, { ...headers, "Content-Type": "image/png" });
  },
});

const getSharedLogoRoute = defineRoute({
  operationId: "getSharedLogo",
  route: "GET /api/v1/shared/{token}/logo",
  summary: "Get the logo of a shared pack's brand",
  description: "The logo of the pack's brand, otherwise the logo in the pack.",
  ...VISIT,
  needs: ["database", "storage", "rateLimit", "downloadSigning"],
  errors: ["LINK_INVALID", "FILE_NOT_FOUND", "RATE_LIMITED"],
  params: z.object(shareTokenParams),
  ifNoneMatch: "`ETag` of an earlier response. Returns 304 while the link is open and shows the same logo.",
  responses: {
    200: { description: "The logo", bytes: [...STILL_TYPES, "image/svg+xml"] },
    304: { description: "The visitor has this logo" },
  },
  handler: async (c, { param: { token } }) => {
    const shareId = await visit(c, token);
    const { db } = requireCapability(c, "database");
    const logo = acceptedValue(await visitLogo(db, shareId, c.var.nowMs));
    const headers = { ETag: contentEtag(logo.sha256), "Cache-Control": REVALIDATED };
    if (isNoneMatchHit(c.req.header("If-None-Match"), headers.ETag)) return c.body(null, 304, headers);
    const object = await requireCapability(c, "storage").get(logo.objectKey);
    if (object === null) throw new RefusedRequest(noLogo());
    return c.body(object.body, 200, {
      ...headers,
      "Content-Type": logo.mimeType,
      // Prevents an SVG that is opened as a page from running scripts or loading anything.
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
  },
});

const createShareCommentRoute = defineRoute({
  operationId: "createShareComment",
  route: "POST /api/v1/shared/{token}/comments",
  summary: "Comment on a shared pack",
  description:
    "A comment, a verdict (`approved`, `changes-requested`), or both, under a name that the visitor gives. " +
    "Everyone with the link can read it. Requests count by network in the route family `comments`, and per day by " +
    "link and site in `link-comments-site`, so that one visitor cannot use up the limit of the others.",
  ...VISIT,
  needs: ["database", "rateLimit", "downloadSigning"],
  beforeBody: countWriter,
  errors: [
    ...(["LINK_INVALID", "FILE_NOT_FOUND", "COMMENT_NOT_FOUND", "COMMENT_LIMIT_REACHED"] as const),
    ...(["RATE_LIMITED", "SERVICE_BUSY"] as const),
  ],
  params: z.object(shareTokenParams),
  json: createShareCommentBody,
  responses: { 201: success(ownShareCommentSchema, "The new comment") },
  handler: async (c, { json }) => {
    const shareId = await enterShare(c, c.var.signedShare);
    const { db } = requireCapability(c, "database");
    const { deliveries, mail } = c.var.capabilities;
    const options = { isMailed: mail !== null, nowMs: c.var.nowMs };
    const said = acceptedValue(await comment(db, shareId, json, options));
    sendMail(c, db);
    if (deliveries !== null) c.executionCtx.waitUntil(enqueueDeliveries(deliveries.queue, db));
    const commentToken = await signComment(requireCapability(c, "downloadSigning"), said.commentId);
    return succeed(c, 201, { ...presentComment(said), commentToken });
  },
});

const resolveOwnCommentRoute = defineRoute({
  operationId: "resolveOwnComment",
  route: "PATCH /api/v1/shared/{token}/comments/{commentId}",
  summary: "Resolve or reopen your own comment",
  description: "Needs the `commentToken` from the response that created the comment. Counts like a comment.",
  ...VISIT,
  needs: ["database", "rateLimit", "downloadSigning"],
  beforeBody: countWriter,
  errors: ["LINK_INVALID", "COMMENT_NOT_FOUND", "RATE_LIMITED", "SERVICE_BUSY"],
  params: z.object({ ...shareTokenParams, commentId: uuidSchema }),
  json: resolveOwnCommentBody,
  responses: { 200: success(shareCommentSchema, "The comment") },
  handler: async (c, { param, json }) => {
    const id = { shareId: await enterShare(c, c.var.signedShare), commentId: param.commentId };
    const { db } = requireCapability(c, "database");
    const keys = requireCapability(c, "downloadSigning");
    const resolved = await resolveOwnComment(db, keys, id, json, c.var.nowMs);
    return succeed(c, 200, presentComment(acceptedValue(resolved)));
  },
});

export const visitRoutes = [
  ...[getSharedPackRoute, getSharedFileRoute, getSharedLogoRoute],
  ...[createShareCommentRoute, resolveOwnCommentRoute],
];
