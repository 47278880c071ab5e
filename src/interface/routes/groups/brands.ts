import type { Route } from "#interface/http/route.ts";
import {
  createBrandRoute,
  deleteBrandRoute,
  getBrandRoute,
  listBrandsRoute,
  updateBrandRoute,
} from "../brands/brands.ts";

export const routes: readonly Route[] = [
  ...[listBrandsRoute, getBrandRoute, createBrandRoute, updateBrandRoute, deleteBrandRoute],
];
