import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { uuidSchema } from "#api/schemas/primitives.ts";
import {
  createShareCommentBody,
  shareCommentSchema,
  sharedPackSchema,
  shareTokenParams,
} from "#api/schemas/share.ts";
import { enqueueDeliveries } from "#domains/deliveries/dispatch-deliveries.ts";
import { protectedPicture } from "#domains/shares/protected-picture.ts";
import { presentComment, presentVisit } from "#domains/shares/share.ts";
import { findShare } from "#domains/shares/share-token.ts";
import { comment, readShareLink, visitFile, visitShare } from "#domains/shares/visits-and-approvals.ts";
import { PUBLIC } from "#interface/http/access.ts";
import { countClient, countNetwork } from "#interface/http/client-network.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { outliveClient } from "#interface/http/context.ts";
import { isNoneMatchHit } from "#interface/http/downloads.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { sendMail } from "#interface/http/session.ts";
import { enterHome } from "#interface/http/workspace-database.ts";
import { withRendererSoon } from "#platform/render-engine.ts";

/** What the declarations of visits share. The link is the permission: no key and no session is taken. */
const VISIT = { tag: "Artifacts", access: PUBLIC, window: null, ignoresOtherParameters: true } as const;

const WINDOWS = {
  visits: ["link-visits-site", "link-visits-allocation"],
  comments: ["link-comments-site", "link-comments-allocation"],
} as const;

/**
 * The share of the link, after the request was counted by the visitor's network, and by the link and the visitor's wider
 * networks together. Leads the request to the database of the share's workspace.
 */
async function countVisit(c: Context<AppEnv>, token: string, family: keyof typeof WINDOWS): Promise<string> {
  const keys = requireCapability(c, "downloadSigning");
  const { shareId, madeAt } = acceptedValue(await readShareLink(keys, token, c.var.nowMs));
  await countNetwork(c, keys.current, family);
  await countClient(c, keys.current, WINDOWS[family], `share:${shareId}:`);
  const { databases } = requireCapability(c, "database");
  const found = databases.shards.size === 0 ? null : await findShare(databases, madeAt, shareId);
  if (found !== null) enterHome(c, found);
  return shareId;
}

export const getSharedPackRoute = defineRoute({
  operationId: "getSharedPack",
  method: "get",
  path: "/api/v1/shared/{token}",
  summary: "See a shared pack",
  description:
    "What a share link shows: the pack's pictures, and what was said of them. Nothing of the workspace, and none of its " +
    "files. Requests count by network in the route family `visits`, and by link and site in `link-visits-site`.",
  ...VISIT,
  needs: ["database", "rateLimit", "downloadSigning"],
  errors: ["LINK_INVALID", "RATE_LIMITED"],
  params: z.object(shareTokenParams),
  responses: { 200: success(sharedPackSchema, "The pack as a visitor sees it") },
  handler: async (c) => {
    const { token } = c.req.valid("param");
    const shareId = await countVisit(c, token, "visits");
    const { db } = requireCapability(c, "database");
    const visited = acceptedValue(await visitShare(db, shareId, c.var.nowMs));
    const origin = publicOrigin(c);
    const imageUrlOf = (fileId: string) => `${origin}/api/v1/shared/${token}/files/${fileId}`;
    return succeed(c, 200, presentVisit(visited, imageUrlOf));
  },
});

export const getSharedFileRoute = defineRoute({
  operationId: "getSharedFile",
  method: "get",
  path: "/api/v1/shared/{token}/files/{fileId}",
  summary: "See a picture of a shared pack",
  description:
    "The still with a watermark, at most 1080 pixels a side. It is drawn once for a pack, and kept as long as its files.",
  ...VISIT,
  needs: ["database", "storage", "rateLimit", "downloadSigning"],
  errors: ["LINK_INVALID", "FILE_NOT_FOUND", "FILE_CORRUPT", "RATE_LIMITED", "SERVICE_BUSY"],
  params: z.object({ ...shareTokenParams, fileId: uuidSchema }),
  ifNoneMatch: "An ETag of an earlier answer; 304 while the link is open.",
  responses: {
    200: { description: "The picture", bytes: ["image/png"] },
    304: { description: "The visitor holds this very picture" },
  },
  handler: async (c) => {
    const { token, fileId } = c.req.valid("param");
    const shareId = await countVisit(c, token, "visits");
    const { db } = requireCapability(c, "database");
    const { share, file } = acceptedValue(await visitFile(db, shareId, fileId, c.var.nowMs));
    const etag = `"${file.fileId}"`;
    // Kept, and asked for anew each time: a link that was revoked shows nothing more.
    const headers = { ETag: etag, "Cache-Control": "private, no-cache, no-transform" };
    if (isNoneMatchHit(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
    const bucket = requireCapability(c, "storage");
    const drawing = protectedPicture(bucket, withRendererSoon, share, file);
    const picture = acceptedValue(await outliveClient(c, drawing));
    const bytes = picture instanceof Uint8Array ? new Uint8Array(picture) : picture;
    return c.body(bytes, 200, { ...headers, "Content-Type": "image/png" });
  },
});

export const createShareCommentRoute = defineRoute({
  operationId: "createShareComment",
  method: "post",
  path: "/api/v1/shared/{token}/comments",
  summary: "Comment on a shared pack",
  description:
    "A comment, a verdict (`approved`, `changes-requested`), or both, under a name that the visitor gives. Everybody who " +
    "has the link sees it. Requests count by network in the route family `comments`, and by link and site in " +
    "`link-comments-site`, a day: one visitor cannot take the place of the others.",
  ...VISIT,
  needs: ["database", "rateLimit", "downloadSigning"],
  errors: ["LINK_INVALID", "FILE_NOT_FOUND", "COMMENT_LIMIT_REACHED", "RATE_LIMITED", "SERVICE_BUSY"],
  params: z.object(shareTokenParams),
  json: createShareCommentBody,
  responses: { 201: success(shareCommentSchema, "What was said") },
  handler: async (c) => {
    const shareId = await countVisit(c, c.req.valid("param").token, "comments");
    const { db } = requireCapability(c, "database");
    const { deliveries, mail } = c.var.capabilities;
    const options = { isMailed: mail !== null, nowMs: c.var.nowMs };
    const said = acceptedValue(await comment(db, shareId, c.req.valid("json"), options));
    sendMail(c, db);
    if (deliveries !== null) c.executionCtx.waitUntil(enqueueDeliveries(deliveries.queue, db));
    return succeed(c, 201, presentComment(said));
  },
});
