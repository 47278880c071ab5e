import type { ApiPromise } from "../api-promise.ts";
import type { Operations } from "../generated/operations.ts";
import { List } from "../list.ts";
import type { RequestOptions } from "../options.ts";
import { Resource } from "../transport.ts";
import type { CreateBrand, Given, SavedBrand, UpdateBrand } from "../types.ts";

/** Saved brands: colours, logos, fonts and texts that packs refer to by `brandId`. */
export class BrandsResource extends Resource {
  /** Lists brands, newest first. Scope: `brands:read`. */
  list(query: Operations["listBrands"]["query"] = {}, options: RequestOptions = {}): List<SavedBrand> {
    return new List((before = query.before) =>
      this.transport.json({ operation: "listBrands", query: { ...query, before }, options }),
    );
  }

  /** Reads a brand. Scope: `brands:read`. */
  get(brandId: string, options: RequestOptions = {}): ApiPromise<SavedBrand> {
    return this.transport.json({ operation: "getBrand", path: { brandId }, options });
  }

  /** Saves a brand. Its logos and fonts must be ready assets. Scope: `brands:write`. */
  create(brand: Given<CreateBrand>, options: RequestOptions = {}): ApiPromise<SavedBrand> {
    return this.transport.json({ operation: "createBrand", json: brand, options });
  }

  /** Changes the given members; null removes a member. Existing packs stay the same. Scope: `brands:write`. */
  update(brandId: string, changes: Given<UpdateBrand>, options: RequestOptions = {}): ApiPromise<SavedBrand> {
    return this.transport.json({ operation: "updateBrand", path: { brandId }, json: changes, options });
  }

  /** Deletes a brand and returns it. Packs and assets stay. Scope: `brands:write`. */
  delete(brandId: string, options: RequestOptions = {}): ApiPromise<SavedBrand> {
    return this.transport.json({ operation: "deleteBrand", path: { brandId }, options });
  }
}
