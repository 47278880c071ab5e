import { z } from "@hono/zod-openapi";
import { BUTTON_STYLES } from "#catalogue/looks.ts";
import { LIMITS } from "../limits.ts";
import { BRAND_ASSET_NAMES } from "../slots.ts";
import { copySchema } from "./copy.ts";
import { brandSchema, lookSchema, shownBrandSchema } from "./design.ts";
import { each, nameOf, pageByTimeQuery, pageOf, timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** Saved brands: values that requests refer to by `brandId`. */

export const brandIdSchema = uuidSchema.openapi({
  description:
    "A saved brand. Its values are used for members that the request omits. `assetIds.logo` replaces both logos of " +
    "the brand, `assetIds.font` both fonts.",
});

export const buttonStyleSchema = z.enum(BUTTON_STYLES).openapi({
  description: "Style of the button: filled, outlined or underlined. It overrides the look's.",
  example: "pill",
});

/** Logos and fonts by use, as shown in a brand and in a job. */
export const brandAssetIdsSchema = z.object(each(BRAND_ASSET_NAMES, () => uuidSchema.optional()));

const name = nameOf(LIMITS.brandNameCharactersMax, "Velo");

const { disclaimer, language } = copySchema.shape;

export const brandAssetsSchema = strictBody(each(BRAND_ASSET_NAMES, () => uuidSchema.optional())).openapi(
  "BrandAssets",
);

const designShape = {
  colors: brandSchema.nullable().optional(),
  assetIds: brandAssetsSchema.nullable().optional(),
  look: lookSchema.nullable().optional(),
  buttonStyle: buttonStyleSchema.nullable().optional(),
  disclaimer: disclaimer.nullable().openapi({ type: ["string", "null"] }),
  language: language.nullable().openapi({ type: ["string", "null"] }),
};

const EXAMPLE = {
  name: "Velo",
  colors: { primaryColor: "#0b5fff", accentColor: "#e4572e" },
  assetIds: {
    logoOnLight: "0199f0c4-91d2-7e55-a1c8-7b3e6d2f0a94",
    logoOnDark: "0199f0c4-9a07-7d1b-8c3e-5f2a7b9d0c61",
  },
  look: "bold" as const,
  buttonStyle: "pill" as const,
  disclaimer: "While stocks last.",
  language: "en-GB",
};

/** Body of `POST /brands`. */
export const createBrandSchema = strictBody({ name, ...designShape }).openapi("CreateBrand", {
  example: EXAMPLE,
});
export type CreateBrandBody = z.infer<typeof createBrandSchema>;

/** Body of `PATCH /brands/{brandId}`. */
export const updateBrandSchema = strictBody({ name: name.optional(), ...designShape }).openapi(
  "UpdateBrand",
  { example: { colors: { primaryColor: "#0b5fff" }, disclaimer: null } },
);
export type UpdateBrandBody = z.infer<typeof updateBrandSchema>;

export const savedBrandSchema = z
  .object({
    brandId: uuidSchema,
    name: z.string(),
    colors: shownBrandSchema,
    assetIds: brandAssetIdsSchema,
    look: lookSchema.nullable(),
    buttonStyle: buttonStyleSchema.nullable(),
    disclaimer: z.string().nullable(),
    language: z.string().nullable(),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .openapi("SavedBrand", {
    example: {
      brandId: "0199f0c4-6a10-7f3e-9d2c-1b4a8e7f5c03",
      ...EXAMPLE,
      createdAt: "2026-06-18T12:00:00.000Z",
      updatedAt: "2026-06-18T12:00:00.000Z",
    },
  });

export const brandPageSchema = pageOf(savedBrandSchema).openapi("BrandPage");
export const brandListQuery = z.object(pageByTimeQuery);
