import { createRoute } from "@hono/zod-openapi";
import { presentAsset } from "../assets/asset.ts";
import { listAssets as readPage } from "../assets/service.ts";
import { assetListQuery, assetPageSchema } from "../contract/schemas/asset.ts";
import { bookmarkHeaders, readNearby, withBookmark } from "../http/bookmark.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { toTimestampOrNull } from "../platform/clock.ts";

const route = createRoute({
  ...operation({
    operationId: "listAssets",
    summary: "List assets",
    description: "Assets that are not deleted, newest first. Rejected ones are shown with their reason.",
    tag: "Assets",
    scope: "assets:read",
    family: "read",
    needs: ["database"],
  }),
  method: "get",
  path: "/api/v1/assets",
  request: { headers: bookmarkHeaders, query: assetListQuery },
  responses: {
    200: withBookmark(success(assetPageSchema, "A page of assets")),
    ...failures(400, 401, 403, 429, 500, 501),
  },
});

export const listAssets = defineRoute(route, async (c) => {
  const { limit, before, slotId, status } = c.req.valid("query");
  const filter = {
    limit,
    beforeMs: before === undefined ? null : Date.parse(before),
    slotId: slotId ?? null,
    status: status ?? null,
  };
  const page = await readNearby(c, {
    unmarked: "latest",
    read: (reader) => readPage(reader, c.var.principal.workspaceId, filter),
  });
  return succeed(c, 200, {
    items: page.items.map(presentAsset),
    nextBefore: toTimestampOrNull(page.nextBeforeMs),
  });
});
