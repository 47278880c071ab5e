import { queryOptions } from "@tanstack/react-query";
import type { SavedBrand } from "creative-packs";
import { inspectAsset } from "#editor/files/asset-picker.tsx";

/** Editable members of a brand. A new brand has no id. */
export type BrandForm = Omit<SavedBrand, "brandId" | "createdAt" | "updatedAt"> & {
  readonly brandId?: string;
};

export const EMPTY_BRAND: BrandForm = {
  ...{ name: "", colors: {}, assetIds: {} },
  ...{ look: null, buttonStyle: null, disclaimer: null, language: null },
};

/** A brand's logo or font with its bytes, colours and thumbnail. */
export const brandFileQuery = (workspaceId: string, assetId = "") =>
  queryOptions({
    queryKey: ["brand-file", workspaceId, assetId],
    staleTime: Number.POSITIVE_INFINITY,
    enabled: assetId !== "",
    queryFn: async ({ signal }) => {
      const inspected = await inspectAsset(workspaceId, assetId, signal);
      if (!inspected.ok) throw new Error(`the asset ${assetId} is not what was uploaded`);
      return inspected;
    },
  });
