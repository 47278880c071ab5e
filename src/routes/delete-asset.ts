import { createRoute } from "@hono/zod-openapi";
import { presentAsset } from "../assets/asset.ts";
import { deleteAsset as markAssetDeleted } from "../assets/service.ts";
import { assetParams, assetSchema } from "../contract/schemas/asset.ts";
import { bookmarkedDatabase, withBookmark } from "../http/bookmark.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";

const route = createRoute({
  ...operation({
    operationId: "deleteAsset",
    summary: "Delete an asset",
    description:
      "No new job may use it and no list shows it. Jobs already created and finished artifacts are not touched. " +
      "Deleting it again shows the deleted asset again.",
    tag: "Assets",
    scope: "assets:write",
    family: "write",
    needs: ["database"],
  }),
  method: "delete",
  path: "/api/v1/assets/{assetId}",
  request: { params: assetParams },
  responses: {
    200: withBookmark(success(assetSchema, "The deleted asset")),
    ...failures(400, 401, 403, 404, 429, 500, 501),
  },
});

export const deleteAsset = defineRoute(route, async (c) => {
  const { assetId } = c.req.valid("param");
  const { db, showWritten } = bookmarkedDatabase(requireCapability(c, "database").db);
  const asset = acceptedValue(await markAssetDeleted(db, c.var.principal.workspaceId, assetId, c.var.nowMs));
  showWritten(c);
  return succeed(c, 200, presentAsset(asset));
});
