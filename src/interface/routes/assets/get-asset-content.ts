import { UPLOAD_CONTENT_TYPES } from "#api/schemas/upload.ts";
import { readContent } from "#domains/assets/asset.ts";
import { apiKey } from "#interface/http/access.ts";
import { contentEtag, DOWNLOAD_HEADERS, notModified, sendFile } from "#interface/http/downloads.ts";
import { acceptedValue } from "#interface/http/envelope.ts";
import { isNoneMatchHit } from "#interface/http/etag.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute } from "#interface/http/route.ts";
import { latest } from "#platform/db/reader.ts";

export const getAssetContentRoute = defineRoute({
  operationId: "getAssetContent",
  method: "get",
  path: "/api/v1/assets/{assetId}/content",
  tag: "Assets",
  summary: "Download an asset",
  description:
    "The bytes of a ready asset as they were uploaded, sent only after the stored file was read whole and its length, " +
    "type and checksum were found right.",
  access: apiKey("assets:read"),
  window: "downloads",
  needs: ["storage"],
  errors: ["ASSET_NOT_FOUND", "ASSET_NOT_READY", "FILE_CORRUPT"],
  ifNoneMatch: "An ETag of an earlier download; 304 when it is still the content's.",
  responses: {
    200: { description: "The file", headers: DOWNLOAD_HEADERS, bytes: UPLOAD_CONTENT_TYPES },
    304: { description: "The caller holds these very bytes" },
  },
  handler: async (c) => {
    const { assetId } = c.req.valid("param");
    const { db, workspaceId } = c.get("workspace");
    const file = acceptedValue(await readContent(latest(db), workspaceId, assetId));
    const etag = contentEtag(file.sha256);
    if (isNoneMatchHit(c.req.header("If-None-Match"), etag)) return notModified(c, etag);
    return sendFile(c, requireCapability(c, "storage"), file);
  },
});
