import { useQuery } from "@tanstack/react-query";
import type { Asset } from "creative-packs";
import { useWorkspaceId } from "#app/workspace.ts";
import { fetchAsset } from "./fetch-asset.ts";
import { useBlobAddress } from "./use-blob-address.ts";

/** An asset's picture, fetched with the page's key; for a font, a sign of it. */
export function AssetPicture({ asset }: { readonly asset: Asset }) {
  const workspaceId = useWorkspaceId();
  const isFont = asset.mimeType?.startsWith("font/") === true;
  const { data } = useQuery({
    queryKey: ["asset-picture", workspaceId, asset.assetId],
    queryFn: ({ signal }) => fetchAsset(workspaceId, asset, signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !isFont,
  });
  const address = useBlobAddress(data ?? null);
  return (
    <span className="flex aspect-4/3 items-center justify-center overflow-hidden rounded-md bg-white text-2xl text-black">
      {address !== null && <img src={address} alt="" loading="lazy" className="size-full object-contain" />}
      {isFont && <span aria-hidden="true">Aa</span>}
    </span>
  );
}
