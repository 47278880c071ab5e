import { LIMITS } from "#api/limits.ts";
import {
  brandListQuery,
  brandPageSchema,
  createBrandSchema,
  savedBrandSchema,
  updateBrandSchema,
} from "#api/schemas/brand.ts";
import { deleteBrand, getBrand, listBrands, presentBrand } from "#domains/brands/brand.ts";
import { apiKey } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { runOncePerKey } from "#interface/http/idempotency-header.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { createBrand, updateBrand } from "#operations/save-brand.ts";

const READING = apiKey("brands:read");
const WRITING = apiKey("brands:write");
const ASSET_ERRORS = [
  "ASSET_UNKNOWN",
  "SLOT_UNSUPPORTED",
  "SLOT_COMBINATION_UNSUPPORTED",
  "ASSET_NOT_READY",
] as const;

const listBrandsRoute = defineRoute({
  operationId: "listBrands",
  route: "GET /api/v1/brands",
  summary: "List brands",
  description: "The workspace's saved brands, newest first.",
  access: READING,
  query: brandListQuery,
  responses: { 200: success(brandPageSchema, "A page of brands") },
  handler: async (c, { db, workspaceId, query }) => {
    return succeed(c, 200, await listBrands(db, workspaceId, query));
  },
});

const getBrandRoute = defineRoute({
  operationId: "getBrand",
  route: "GET /api/v1/brands/{brandId}",
  summary: "Read a brand",
  access: READING,
  errors: ["BRAND_NOT_FOUND"],
  responses: { 200: success(savedBrandSchema, "The brand") },
  handler: async (c, { db, workspaceId, param }) => {
    const brand = acceptedValue(await getBrand(db, workspaceId, param.brandId));
    return succeed(c, 200, presentBrand(brand));
  },
});

const createBrandRoute = defineRoute({
  operationId: "createBrand",
  route: "POST /api/v1/brands",
  summary: "Save a brand",
  description:
    "Values that jobs, quotes and previews take by `brandId` where they have none of their own. Its logos and fonts are " +
    `ready assets of the workspace. A workspace has at most ${LIMITS.brandsPerWorkspaceMax} brands.`,
  access: WRITING,
  errors: ["BRAND_LIMIT_REACHED", ...ASSET_ERRORS],
  isIdempotent: true,
  json: createBrandSchema,
  responses: {
    201: success(savedBrandSchema, "The new brand"),
    200: success(savedBrandSchema, "The brand an earlier request with this key made, as it is now"),
  },
  handler: async (c, { db, workspaceId, json: body }) => {
    const { value, isReplay } = await runOncePerKey(c, {
      body,
      locks: null,
      execute: (claim) => createBrand(db, claim, body),
      replay: (brandId) => getBrand(db, workspaceId, brandId),
    });
    return succeed(c, isReplay ? 200 : 201, presentBrand(value));
  },
});

const updateBrandRoute = defineRoute({
  operationId: "updateBrand",
  route: "PATCH /api/v1/brands/{brandId}",
  summary: "Change a brand",
  description:
    "What is absent stays, and null takes a member away. `colors` and `assetIds` are replaced as a whole. Jobs and packs " +
    "keep the values that they were ordered with.",
  access: WRITING,
  errors: ["BRAND_NOT_FOUND", ...ASSET_ERRORS],
  json: updateBrandSchema,
  responses: { 200: success(savedBrandSchema, "The brand as it is now") },
  handler: async (c, { db, workspaceId, param, json }) => {
    const id = { workspaceId, brandId: param.brandId };
    const changed = acceptedValue(await updateBrand(db, id, json, c.get("nowMs")));
    return succeed(c, 200, presentBrand(changed));
  },
});

const deleteBrandRoute = defineRoute({
  operationId: "deleteBrand",
  route: "DELETE /api/v1/brands/{brandId}",
  summary: "Delete a brand",
  description:
    "No new request may name it. Its assets stay, and jobs keep the values that they were ordered with.",
  access: WRITING,
  errors: ["BRAND_NOT_FOUND"],
  responses: { 200: success(savedBrandSchema, "The brand as it was") },
  handler: async (c, { db, workspaceId, param }) => {
    const brand = acceptedValue(await deleteBrand(db, workspaceId, param.brandId));
    return succeed(c, 200, presentBrand(brand));
  },
});

export const routes = [listBrandsRoute, getBrandRoute, createBrandRoute, updateBrandRoute, deleteBrandRoute];
