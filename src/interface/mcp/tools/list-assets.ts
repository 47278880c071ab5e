import { z } from "zod";
import { accept } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { assetListQuery, assetPageSchema } from "#api/schemas/asset.ts";
import { strictBody } from "#api/schemas/strict-body.ts";
import { listAssets, presentAsset } from "#domains/assets/asset.ts";
import { toTimestampOrNull } from "#platform/clock.ts";
import { latest } from "#platform/db/reader.ts";
import { READ_ONLY } from "../annotations.ts";
import { defineTool } from "../tool.ts";

const { slotId, status, sha256, before } = assetListQuery.shape;

const input = strictBody({
  slotId,
  status,
  sha256: sha256.describe("Only the assets of a file with this hash: whether it was imported before."),
  limit: z
    .int()
    .min(1)
    .max(LIMITS.pageSizeMax)
    .default(LIMITS.pageSizeDefault)
    .describe("Assets on the page."),
  before: before.describe("`nextBefore` of the previous page."),
});

export const listAssetsTool = defineTool({
  name: "list_assets",
  title: "List assets",
  description:
    "The workspace's pictures, logos and fonts, newest first, with slot, status and pixels. Look here before you import " +
    "the same file again; only assets with status `ready` can be drawn. Free.",
  scope: "assets:read",
  windows: ["read"],
  needs: [],
  annotations: READ_ONLY,
  input,
  output: assetPageSchema,
  run: async (c, asked) => {
    const { db, workspaceId } = c.get("workspace");
    const page = await listAssets(latest(db), workspaceId, {
      limit: asked.limit,
      beforeMs: asked.before === undefined ? null : Date.parse(asked.before),
      slotId: asked.slotId ?? null,
      status: asked.status ?? null,
      sha256: asked.sha256 ?? null,
    });
    return accept({
      output: { items: page.items.map(presentAsset), nextBefore: toTimestampOrNull(page.nextBeforeMs) },
    });
  },
});
