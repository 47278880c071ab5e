import { and, desc, eq, lt, sql } from "drizzle-orm";
import { guard } from "#platform/db/batch-guard.ts";
import { assets, brands } from "#platform/db/schema/index.ts";
import { type Given, matches, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

type BrandId = { readonly workspaceId: string; readonly brandId: string };

const fields = {
  ...pick(brands, "brandId", "name", "design"),
  createdAtMs: brands.createdAt,
  updatedAtMs: brands.updatedAt,
};

const isBrand = (given: Given<BrandId>) => matches(brands, pick(given, "workspaceId", "brandId"));

export const brandById = statement((given: Given<BrandId>) =>
  query.read(brands, fields).where(isBrand(given)),
);

export type Brand = RowOf<typeof brandById>;

/** The workspace's brands created before a time, newest first. */
export const brandsPage = statement(
  (given: Given<{ workspaceId: string; beforeMs: number; limit: number }>) =>
    query
      .read(brands, fields)
      .where(and(eq(brands.workspaceId, given.workspaceId), lt(brands.createdAt, given.beforeMs)))
      .orderBy(desc(brands.createdAt))
      .limit(given.limit),
);

/**
 * Fails its batch with `brand_writable` unless the assets in a JSON list of distinct ids are ready and not deleted, and
 * the workspace has fewer brands than `below`.
 */
export const assertBrandWritable = statement(
  (given: Given<{ workspaceId: string; assetIds: string; below: number }>) =>
    guard(
      "brand_writable",
      sql`(select count(*) from ${brands} where ${brands.workspaceId} = ${given.workspaceId}) < ${given.below}
        and (select count(*) from ${assets} where ${assets.workspaceId} = ${given.workspaceId}
          and ${assets.status} = 'ready' and ${assets.deletedAt} is null
          and ${assets.assetId} in (select value from json_each(${given.assetIds}))) = json_array_length(${given.assetIds})`,
    ),
);

/** `changes` is a design as JSON; null fields are left out. */
export const insertBrand = statement(
  (given: Given<BrandId & { name: string; changes: string; nowMs: number }>) => {
    const createdAt = sql`max(${given.nowMs}, coalesce((select max(${brands.createdAt}) + 1 from ${brands}
      where ${brands.workspaceId} = ${given.workspaceId}), 0))`;
    return query.insert(brands).values({
      ...pick(given, "brandId", "workspaceId", "name"),
      design: sql`json_patch('{}', ${given.changes})`,
      createdAt,
      updatedAt: createdAt,
    });
  },
);

/**
 * Applies `changes`, a design as JSON in which null removes a field. `replacedColors` and `replacedAssets` are JSON
 * paths of objects that are replaced, not merged.
 */
export const changeBrand = statement(
  (
    given: Given<
      BrandId & {
        name: string | null;
        changes: string;
        replacedColors: string;
        replacedAssets: string;
        nowMs: number;
      }
    >,
  ) =>
    query
      .update(brands)
      .set({
        name: sql`coalesce(${given.name}, ${brands.name})`,
        design: sql`json_patch(json_remove(${brands.design}, ${given.replacedColors}, ${given.replacedAssets}),
          ${given.changes})`,
        updatedAt: sql`max(${given.nowMs}, ${brands.createdAt})`,
      })
      .where(isBrand(given))
      .returning(fields),
);

export const deleteBrandRow = statement((given: Given<BrandId>) =>
  query.delete(brands).where(isBrand(given)).returning(fields),
);

/** Removes a deleted asset from every brand, in the batch that deletes it. */
export const clearAssetOfBrands = statement(
  (given: Given<{ workspaceId: string; assetId: string; nowMs: number }>) => {
    const named = sql`json_each(${brands.design}, '$.assetIds')`;
    return query
      .update(brands)
      .set({
        design: sql`json_set(${brands.design}, '$.assetIds',
          json((select json_group_object(key, value) from ${named} where value <> ${given.assetId})))`,
        updatedAt: sql`max(${given.nowMs}, ${brands.createdAt})`,
      })
      .where(
        sql`${brands.workspaceId} = ${given.workspaceId}
          and exists (select 1 from ${named} where value = ${given.assetId})`,
      );
  },
);
