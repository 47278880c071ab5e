import type { z } from "zod";
import type { BrandDesign } from "#api/brand-design.ts";
import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import type {
  brandListQuery,
  brandPageSchema,
  savedBrandSchema,
  UpdateBrandBody,
} from "#api/schemas/brand.ts";
import { toTimestamp } from "#platform/clock.ts";
import { toPage } from "#platform/db/page.ts";
import { latest, type Reader } from "#platform/db/reader.ts";
import { type Brand, brandById, brandsPage, deleteBrandRow } from "./brand-store.ts";

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
  refuse("BRAND_NOT_FOUND", "The workspace has no brand with this id.");

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

/** Deletes a brand and returns it; jobs keep the values copied from it. 404 BRAND_NOT_FOUND. */
export const deleteBrand = async (
  db: Reader,
  workspaceId: string,
  brandId: string,
): Promise<Outcome<Brand>> => {
  const [deleted = null] = await deleteBrandRow.all(db, { workspaceId, brandId });
  return found(deleted);
};

/**
 * The design of the brand that a request names; empty if it names none. 422 BRAND_UNKNOWN when the workspace has no
 * such brand.
 */
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

/** The changes of a request's body: null or an empty text removes a field. */
export const changesOf = ({ colors, assetIds, look, buttonStyle, ...words }: UpdateBrandBody): object => ({
  ...{ colors, assetIds, look, buttonStyle },
  ...{ disclaimer: words.disclaimer === "" ? null : words.disclaimer },
  ...{ language: words.language === "" ? null : words.language },
});
