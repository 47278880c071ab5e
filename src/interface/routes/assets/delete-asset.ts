import { assetSchema } from "#api/schemas/asset.ts";
import { deleteAsset, presentAsset } from "#domains/assets/asset.ts";
import { apiKey } from "#interface/http/access.ts";
import { BOOKMARK_HEADER, showBookmark } from "#interface/http/bookmark.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { latest } from "#platform/db/reader.ts";

export const deleteAssetRoute = defineRoute({
  operationId: "deleteAsset",
  method: "delete",
  path: "/api/v1/assets/{assetId}",
  tag: "Assets",
  summary: "Delete an asset",
  description:
    "No new job may use it and no list shows it. Jobs already created and finished artifacts are not touched. " +
    "Deleting it again shows the deleted asset again.",
  access: apiKey("assets:write"),
  window: "write",
  errors: ["ASSET_NOT_FOUND"],
  responses: { 200: success(assetSchema, "The deleted asset", BOOKMARK_HEADER) },
  handler: async (c) => {
    const { assetId } = c.req.valid("param");
    const { db, workspaceId } = c.get("workspace");
    const writes = latest(db);
    const asset = acceptedValue(await deleteAsset(writes, workspaceId, assetId, c.get("nowMs")));
    showBookmark(c, writes.getBookmark());
    return succeed(c, 200, presentAsset(asset));
  },
});
