import { queryOptions } from "@tanstack/react-query";
import type { SavedBrand } from "creative-packs";
import { clientOf } from "#api/client.ts";
import { queryClient } from "#api/queries.ts";
import { fetchAsset } from "#editor/files/asset-picker.tsx";
import { inspectFile } from "#editor/files/inspect-file.ts";

/** What of a brand can be changed; without an id, of a new one. */
export type BrandForm = Omit<SavedBrand, "brandId" | "createdAt" | "updatedAt"> & {
  readonly brandId?: string;
};

export const EMPTY_BRAND: BrandForm = {
  ...{ name: "", colors: {}, assetIds: {} },
  ...{ look: null, buttonStyle: null, disclaimer: null, language: null },
};

/** The workspace's brands, newest first. */
export const brandsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["workspace", workspaceId, "brands"],
    queryFn: async ({ signal }) => {
      const brands: SavedBrand[] = [];
      for await (const brand of clientOf(workspaceId).brands.list({ limit: 100 }, { signal }))
        brands.push(brand);
      return brands;
    },
  });

/** A logo or font of a brand, with its bytes, colours and a small picture; null where it cannot be read. */
export const brandFileQuery = (workspaceId: string, assetId = "") =>
  queryOptions({
    queryKey: ["brand-file", workspaceId, assetId],
    staleTime: Number.POSITIVE_INFINITY,
    enabled: assetId !== "",
    queryFn: async ({ signal }) => {
      const asset = await clientOf(workspaceId).assets.get(assetId, { signal });
      const inspected = await inspectFile(await fetchAsset(workspaceId, asset, signal), asset.fileName);
      return inspected.ok ? inspected : null;
    },
  });

/** A brand's logos and fonts as the engine takes them, by asset id. */
export const brandFilesQuery = (workspaceId: string, assetIds: SavedBrand["assetIds"] = {}) =>
  queryOptions({
    queryKey: ["brand-files", workspaceId, assetIds],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const ids = Object.values(assetIds);
      const files = await Promise.all(
        ids.map((id) => queryClient.fetchQuery(brandFileQuery(workspaceId, id))),
      );
      return files.flatMap((found, index) => {
        const id = ids[index];
        return found === null || id === undefined
          ? []
          : [{ id, mimeType: found.file.mimeType, file: found.kept.bytes }];
      });
    },
  });
