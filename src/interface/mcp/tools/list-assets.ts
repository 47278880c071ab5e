import { z } from "zod";
import { accept } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { assetListQuery, assetPageSchema } from "#api/schemas/asset.ts";
import { brandPageSchema, savedBrandSchema } from "#api/schemas/brand.ts";
import { strictBody } from "#api/schemas/strict-body.ts";
import { listAssets } from "#domains/assets/asset.ts";
import { listBrands } from "#domains/brands/brand.ts";
import { latest } from "#platform/db/reader.ts";
import { pick } from "#platform/pick-members.ts";
import { READ_ONLY } from "../annotations.ts";
import { defineTool } from "../tool.ts";

const { slotId, status, sha256, before } = assetListQuery.shape;

/** Paging arguments. */
const pageArguments = {
  limit: z
    .int()
    .min(1)
    .max(LIMITS.pageSizeMax)
    .default(LIMITS.pageSizeDefault)
    .describe("Items on the page."),
  before: before.describe("`nextBefore` of the previous page."),
};

const input = strictBody({
  slotId,
  status,
  sha256: sha256.describe("Only assets with this hash."),
  ...pageArguments,
});

export const listAssetsTool = defineTool({
  name: "list_assets",
  title: "List assets",
  description:
    "The workspace's pictures, logos and fonts, newest first, with slot, status and pixels. Look here before an import; only " +
    "assets that are `ready` can be drawn. Free.",
  scope: "assets:read",
  windows: ["read"],
  annotations: READ_ONLY,
  input,
  output: assetPageSchema,
  run: async (c, asked) => {
    const { db, workspaceId } = c.get("workspace");
    return accept({ output: await listAssets(latest(db), workspaceId, asked) });
  },
});

const { brandId, name } = savedBrandSchema.shape;

export const listBrandsTool = defineTool({
  name: "list_brands",
  title: "List brands",
  description:
    "The workspace's saved brands by name, newest first. A pack uses colours, logos, fonts, look and legal line of its " +
    "`brandId`. Free.",
  scope: "brands:read",
  windows: ["read"],
  annotations: READ_ONLY,
  input: strictBody(pageArguments),
  output: z.object({
    items: z.array(z.object({ brandId, name })),
    nextBefore: brandPageSchema.shape.nextBefore,
  }),
  run: async (c, asked) => {
    const { db, workspaceId } = c.get("workspace");
    const { items, nextBefore } = await listBrands(latest(db), workspaceId, asked);
    return accept({ output: { items: items.map((brand) => pick(brand, "brandId", "name")), nextBefore } });
  },
});
