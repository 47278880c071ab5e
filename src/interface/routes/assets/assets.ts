import { LIMITS } from "#api/limits.ts";
import { assetListQuery, assetPageSchema, assetSchema } from "#api/schemas/asset.ts";
import { UPLOAD_CONTENT_TYPES } from "#api/schemas/upload.ts";
import {
  deleteAsset,
  getAsset,
  isImporting,
  listAssets,
  presentAsset,
  readContent,
} from "#domains/assets/asset.ts";
import { apiKey } from "#interface/http/access.ts";
import { BOOKMARK_HEADER, readNearby, showBookmark } from "#interface/http/bookmark.ts";
import {
  contentEtag,
  DOWNLOAD_HEADERS,
  isNoneMatchHit,
  notModified,
  sendFile,
} from "#interface/http/downloads.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { latest } from "#platform/db/reader.ts";
import { importAssetRoute } from "./import-asset.ts";
import { uploadRoutes } from "./uploads.ts";

const getAssetRoute = defineRoute({
  operationId: "getAsset",
  route: "GET /api/v1/assets/{assetId}",
  summary: "Read an asset",
  description:
    "To wait for an import, poll until it is `ready` or `rejected`, after `Retry-After` seconds each time.",
  access: apiKey("assets:read"),
  errors: ["ASSET_NOT_FOUND"],
  isNearbyRead: true,
  responses: {
    200: success(assetSchema, "The asset", {
      "Retry-After": {
        description: "Seconds until the next poll. Present while an import is in progress.",
        schema: { type: "integer", minimum: 1 },
      },
    }),
  },
  handler: async (c, { workspaceId, param: { assetId } }) => {
    const found = await readNearby(c, {
      unmarked: "latest",
      read: (reader) => getAsset(reader, workspaceId, assetId),
    });
    const asset = acceptedValue(found);
    if (isImporting(asset)) c.header("Retry-After", String(LIMITS.importPollAfterSeconds));
    return succeed(c, 200, presentAsset(asset));
  },
});

const listAssetsRoute = defineRoute({
  operationId: "listAssets",
  route: "GET /api/v1/assets",
  summary: "List assets",
  description: "Assets that are not deleted, newest first. Rejected assets are included with their reason.",
  access: apiKey("assets:read"),
  query: assetListQuery,
  isNearbyRead: true,
  responses: { 200: success(assetPageSchema, "A page of assets") },
  handler: async (c, { workspaceId, query }) => {
    const page = await readNearby(c, {
      unmarked: "latest",
      read: (reader) => listAssets(reader, workspaceId, query),
    });
    return succeed(c, 200, page);
  },
});

const getAssetContentRoute = defineRoute({
  operationId: "getAssetContent",
  route: "GET /api/v1/assets/{assetId}/content",
  summary: "Download an asset",
  description:
    "The bytes of a ready asset as uploaded, sent only after the stored file was read and its length, type and " +
    "checksum were verified.",
  access: apiKey("assets:read"),
  window: "downloads",
  needs: ["storage"],
  errors: ["ASSET_NOT_FOUND", "ASSET_NOT_READY", "FILE_CORRUPT"],
  ifNoneMatch: "`ETag` of an earlier response. Returns 304 while it matches.",
  responses: {
    200: { description: "The file", headers: DOWNLOAD_HEADERS, bytes: UPLOAD_CONTENT_TYPES },
    304: { description: "The caller has the current bytes" },
  },
  handler: async (c, { db, workspaceId, param: { assetId } }) => {
    const file = acceptedValue(await readContent(latest(db), workspaceId, assetId));
    const etag = contentEtag(file.sha256);
    if (isNoneMatchHit(c.req.header("If-None-Match"), etag)) return notModified(c, etag);
    return sendFile(c, requireCapability(c, "storage"), file);
  },
});

const deleteAssetRoute = defineRoute({
  operationId: "deleteAsset",
  route: "DELETE /api/v1/assets/{assetId}",
  summary: "Delete an asset",
  description:
    "The asset can no longer be used in new jobs and disappears from lists. Existing jobs and artifacts are not " +
    "affected. Deleting it again returns the deleted asset.",
  access: apiKey("assets:write"),
  errors: ["ASSET_NOT_FOUND"],
  responses: { 200: success(assetSchema, "The deleted asset", BOOKMARK_HEADER) },
  handler: async (c, { db, workspaceId, param: { assetId } }) => {
    const writes = latest(db);
    const asset = acceptedValue(await deleteAsset(writes, workspaceId, assetId, c.get("nowMs")));
    showBookmark(c, writes.getBookmark());
    return succeed(c, 200, presentAsset(asset));
  },
});

export const routes = [
  ...[listAssetsRoute, getAssetRoute, getAssetContentRoute, deleteAssetRoute],
  ...uploadRoutes,
  importAssetRoute,
];
