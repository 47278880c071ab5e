import { assetSchema } from "#api/schemas/asset.ts";
import { deleteAsset, presentAsset } from "#domains/assets/asset.ts";
import { apiKey } from "#interface/http/access.ts";
import { BOOKMARK_HEADER, bookmarkedDatabase } from "#interface/http/bookmark.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { defineRoute, success } from "#interface/http/route.ts";

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
    const workspace = c.get("workspace");
    const { db, showWritten } = bookmarkedDatabase(workspace.db);
    const asset = acceptedValue(await deleteAsset(db, workspace.workspaceId, assetId, c.get("nowMs")));
    showWritten(c);
    return succeed(c, 200, presentAsset(asset));
  },
});
