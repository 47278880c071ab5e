import { assetListQuery, assetPageSchema } from "#api/schemas/asset.ts";
import { listAssets, presentAsset } from "#domains/assets/asset.ts";
import { apiKey } from "#interface/http/access.ts";
import { readNearby } from "#interface/http/bookmark.ts";
import { succeed } from "#interface/http/envelope.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { toTimestampOrNull } from "#platform/clock.ts";

export const listAssetsRoute = defineRoute({
  operationId: "listAssets",
  method: "get",
  path: "/api/v1/assets",
  tag: "Assets",
  summary: "List assets",
  description: "Assets that are not deleted, newest first. Rejected ones are shown with their reason.",
  access: apiKey("assets:read"),
  window: "read",
  query: assetListQuery,
  isNearbyRead: true,
  responses: { 200: success(assetPageSchema, "A page of assets") },
  handler: async (c) => {
    const { limit, before, slotId, status, sha256 } = c.req.valid("query");
    const filter = {
      limit,
      beforeMs: before === undefined ? null : Date.parse(before),
      slotId: slotId ?? null,
      status: status ?? null,
      sha256: sha256 ?? null,
    };
    const { workspaceId } = c.get("workspace");
    const page = await readNearby(c, {
      unmarked: "latest",
      read: (reader) => listAssets(reader, workspaceId, filter),
    });
    return succeed(c, 200, {
      items: page.items.map(presentAsset),
      nextBefore: toTimestampOrNull(page.nextBeforeMs),
    });
  },
});
