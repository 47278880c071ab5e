import type { z } from "zod";
import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import type {
  brandListQuery,
  brandPageSchema,
  savedBrandSchema,
  UpdateBrandBody,
} from "#api/schemas/brand.ts";
import type { PackRequest } from "#api/schemas/job.ts";
import type { BrandAssetName } from "#api/slots.ts";
import { toTimestamp } from "#platform/clock.ts";
import { toPage } from "#platform/db/page.ts";
import { latest, type Reader } from "#platform/db/reader.ts";
import type { BrandDesign } from "#platform/db/schema/index.ts";
import { type Brand, brandById, brandsPage, deleteBrandRow } from "./brand-store.ts";

/** Saved brands: reading, deleting, showing, and what a request takes from one. */

/** The brand as the API shows it. */
export const presentBrand = (brand: Brand): z.infer<typeof savedBrandSchema> => {
  const { colors = {}, assetIds = {}, look = null, buttonStyle = null, ...words } = brand.design;
  const { disclaimer = null, language = null } = words;
  return {
    brandId: brand.brandId,
    name: brand.name,
    ...{ colors, assetIds, look, buttonStyle, disclaimer, language },
    createdAt: toTimestamp(brand.createdAtMs),
    updatedAt: toTimestamp(brand.updatedAtMs),
  };
};

export const brandNotFound = (): Refusal =>
  refuse("BRAND_NOT_FOUND", "The workspace has no brand of this id.");

const found = (brand: Brand | null): Outcome<Brand> => (brand === null ? brandNotFound() : accept(brand));

/** A page of the workspace's brands, newest first. */
export async function listBrands(
  db: Reader,
  workspaceId: string,
  { before, limit }: z.infer<typeof brandListQuery>,
): Promise<z.infer<typeof brandPageSchema>> {
  const beforeMs = before === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(before);
  const rows = await brandsPage.all(db, { workspaceId, beforeMs, limit: limit + 1 });
  const { items, nextBefore } = toPage(rows, limit, ({ createdAtMs }) => toTimestamp(createdAtMs));
  return { items: items.map(presentBrand), nextBefore };
}

/** 404 BRAND_NOT_FOUND. */
export const getBrand = async (db: Reader, workspaceId: string, brandId: string): Promise<Outcome<Brand>> =>
  found(await brandById.first(db, { workspaceId, brandId }));

/** Deletes a brand and returns it as it was; jobs keep what they took from it. 404 BRAND_NOT_FOUND. */
export const deleteBrand = async (
  db: Reader,
  workspaceId: string,
  brandId: string,
): Promise<Outcome<Brand>> => {
  const [deleted = null] = await deleteBrandRow.all(db, { workspaceId, brandId });
  return found(deleted);
};

/** The design of the brand that a request names, empty where it names none; 422 BRAND_UNKNOWN (missing or foreign). */
export async function readBrandDesign(
  db: D1Database,
  workspaceId: string,
  brandId: string | undefined,
): Promise<Outcome<BrandDesign>> {
  if (brandId === undefined) return accept({});
  const brand = await brandById.first(latest(db), { workspaceId, brandId });
  return brand === null
    ? refuse("BRAND_UNKNOWN", "The workspace has no brand with the id named in `brandId`.")
    : accept(brand.design);
}

/** Members of a design as a body changes them: null takes one away, and so does an empty text. */
export const changesOf = ({ colors, assetIds, look, buttonStyle, ...words }: UpdateBrandBody): object => ({
  ...{ colors, assetIds, look, buttonStyle },
  ...{ disclaimer: words.disclaimer === "" ? null : words.disclaimer },
  ...{ language: words.language === "" ? null : words.language },
});

/** A request with its brand's values where it has none of its own. */
export type BrandedRequest = PackRequest & {
  /** The second logo and font, which no slot is for. */
  readonly brandAssetIds: Partial<Readonly<Record<BrandAssetName, string>>>;
};

/**
 * Fills a request in from a brand. The request's own logo replaces both of the brand's, and its font both fonts. Where a
 * brand has one of the two only, that one is for everything.
 */
export function withBrand(request: PackRequest, design: BrandDesign): BrandedRequest {
  const { disclaimer, language } = design;
  const { logoOnLight, logoOnDark, headlineFont, textFont } = design.assetIds ?? {};
  const logo = logoOnLight ?? logoOnDark;
  const font = headlineFont ?? textFont;
  const { assetIds } = request;
  const hasLogos = assetIds.logo === undefined && logoOnLight !== undefined && logoOnDark !== undefined;
  const hasFonts =
    assetIds.font === undefined &&
    headlineFont !== undefined &&
    textFont !== undefined &&
    headlineFont !== textFont;
  return {
    ...request,
    look: request.look ?? design.look,
    buttonStyle: request.buttonStyle ?? design.buttonStyle,
    copy: { ...(disclaimer && { disclaimer }), ...(language && { language }), ...request.copy },
    brand: { ...design.colors, ...request.brand },
    assetIds: { ...(logo && { logo }), ...(font && { font }), ...assetIds },
    brandAssetIds: { ...(hasLogos && { logoOnDark }), ...(hasFonts && { textFont }) },
  };
}
