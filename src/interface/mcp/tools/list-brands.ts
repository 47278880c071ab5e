import { z } from "zod";
import { accept } from "#api/errors.ts";
import { brandPageSchema, savedBrandSchema } from "#api/schemas/brand.ts";
import { strictBody } from "#api/schemas/strict-body.ts";
import { listBrands } from "#domains/brands/brand.ts";
import { latest } from "#platform/db/reader.ts";
import { pick } from "#platform/pick-members.ts";
import { READ_ONLY } from "../annotations.ts";
import { defineTool } from "../tool.ts";
import { pageArguments } from "./list-assets.ts";

const { brandId, name } = savedBrandSchema.shape;

export const listBrandsTool = defineTool({
  name: "list_brands",
  title: "List brands",
  description:
    "The workspace's saved brands by name, newest first. A pack takes colours, logos, fonts, look and legal line of its " +
    "`brandId`. Free.",
  scope: "brands:read",
  windows: ["read"],
  needs: [],
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
