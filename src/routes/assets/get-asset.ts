import { assetSchema } from "../../api/schemas/asset.ts";
import { getAsset, presentAsset } from "../../assets/asset.ts";
import { apiKey } from "../../http/access.ts";
import { readNearby } from "../../http/bookmark.ts";
import { acceptedValue, succeed } from "../../http/envelope.ts";
import { defineRoute, success } from "../../http/route.ts";

export const getAssetRoute = defineRoute({
  operationId: "getAsset",
  method: "get",
  path: "/api/v1/assets/{assetId}",
  tag: "Assets",
  summary: "Read an asset",
  access: apiKey("assets:read"),
  window: "read",
  errors: ["ASSET_NOT_FOUND"],
  isNearbyRead: true,
  responses: { 200: success(assetSchema, "The asset") },
  handler: async (c) => {
    const { assetId } = c.req.valid("param");
    const { workspaceId } = c.get("workspace");
    const found = await readNearby(c, {
      unmarked: "latest",
      read: (reader) => getAsset(reader, workspaceId, assetId),
    });
    return succeed(c, 200, presentAsset(acceptedValue(found)));
  },
});
