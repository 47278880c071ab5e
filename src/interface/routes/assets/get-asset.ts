import { LIMITS } from "#api/limits.ts";
import { assetSchema } from "#api/schemas/asset.ts";
import { getAsset, isImporting, presentAsset } from "#domains/assets/asset.ts";
import { apiKey } from "#interface/http/access.ts";
import { readNearby } from "#interface/http/bookmark.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { defineRoute, success } from "#interface/http/route.ts";

export const getAssetRoute = defineRoute({
  operationId: "getAsset",
  method: "get",
  path: "/api/v1/assets/{assetId}",
  tag: "Assets",
  summary: "Read an asset",
  description:
    "Poll an import until it is `ready` or `rejected`, each time after the seconds of `Retry-After`.",
  access: apiKey("assets:read"),
  window: "read",
  errors: ["ASSET_NOT_FOUND"],
  isNearbyRead: true,
  responses: {
    200: success(assetSchema, "The asset", {
      "Retry-After": {
        description: "Seconds until the next poll makes sense; there while an import is under way.",
        schema: { type: "integer", minimum: 1 },
      },
    }),
  },
  handler: async (c) => {
    const { assetId } = c.req.valid("param");
    const { workspaceId } = c.get("workspace");
    const found = await readNearby(c, {
      unmarked: "latest",
      read: (reader) => getAsset(reader, workspaceId, assetId),
    });
    const asset = acceptedValue(found);
    if (isImporting(asset)) c.header("Retry-After", String(LIMITS.importPollAfterSeconds));
    return succeed(c, 200, presentAsset(asset));
  },
});
