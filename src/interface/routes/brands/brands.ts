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
  description: "The saved brands of the workspace, newest first.",
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
    "Jobs, quotes and previews with its `brandId` use these values for members that they omit. Its logos and fonts " +
    `must be ready assets of the workspace. A workspace has at most ${LIMITS.brandsPerWorkspaceMax} brands.`,
  access: WRITING,
  errors: ["BRAND_LIMIT_REACHED", ...ASSET_ERRORS],
  isIdempotent: true,
  json: createBrandSchema,
  responses: {
    201: success(savedBrandSchema, "The new brand"),
    200: success(savedBrandSchema, "The brand from an earlier request with this key"),
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
    "Absent members stay as they are; null removes one. `colors` and `assetIds` are replaced as a whole. Existing " +
    "jobs and packs keep the values of their order.",
  access: WRITING,
  errors: ["BRAND_NOT_FOUND", ...ASSET_ERRORS],
  json: updateBrandSchema,
  responses: { 200: success(savedBrandSchema, "The changed brand") },
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
    "New requests can no longer refer to it. Its assets stay, and existing jobs keep the values of their order.",
  access: WRITING,
  errors: ["BRAND_NOT_FOUND"],
  responses: { 200: success(savedBrandSchema, "The deleted brand") },
  handler: async (c, { db, workspaceId, param }) => {
    const brand = acceptedValue(await deleteBrand(db, workspaceId, param.brandId));
    return succeed(c, 200, presentBrand(brand));
  },
});

export const routes = [listBrandsRoute, getBrandRoute, createBrandRoute, updateBrandRoute, deleteBrandRoute];
