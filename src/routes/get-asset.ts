import { createRoute } from "@hono/zod-openapi";
import { presentAsset } from "../assets/asset.ts";
import { getAsset as readAsset } from "../assets/service.ts";
import { assetParams, assetSchema } from "../contract/schemas/asset.ts";
import { bookmarkHeaders, readNearby, withBookmark } from "../http/bookmark.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";

const route = createRoute({
  ...operation({
    operationId: "getAsset",
    summary: "Read an asset",
    tag: "Assets",
    scope: "assets:read",
    family: "read",
    needs: ["database"],
  }),
  method: "get",
  path: "/api/v1/assets/{assetId}",
  request: { headers: bookmarkHeaders, params: assetParams },
  responses: {
    200: withBookmark(success(assetSchema, "The asset")),
    ...failures(400, 401, 403, 404, 429, 500, 501),
  },
});

export const getAsset = defineRoute(route, async (c) => {
  const { assetId } = c.req.valid("param");
  const found = await readNearby(c, {
    unmarked: "latest",
    read: (reader) => readAsset(reader, c.var.principal.workspaceId, assetId),
  });
  return succeed(c, 200, presentAsset(acceptedValue(found)));
});
