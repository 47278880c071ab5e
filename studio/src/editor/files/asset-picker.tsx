import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type { Asset } from "creative-packs";
import { useTranslation } from "react-i18next";
import { clientOf } from "#api/client.ts";
import { pagedQuery } from "#api/paged-query.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorNote } from "#ui/form.tsx";
import { Loading } from "#ui/page.tsx";
import { MoreButton } from "#ui/table.tsx";
import { useBlobUrl } from "#ui/use-blob-url.ts";
import { converterWith } from "./convert-file.ts";
import { type Inspected, inspectFile } from "./inspect-file.ts";
import type { Intake } from "./use-intake.ts";

interface AssetPickerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly intake: Intake;
}

const PAGE_SIZE = 12;

/** Files from the workspace's earlier packs; the chosen one is added to the draft. */
export function AssetPicker({ isOpen, onClose, intake }: AssetPickerProps) {
  const { t } = useTranslation("editor");
  return (
    <Dialog title={t("earlierFiles.title")} isOpen={isOpen} onClose={onClose} width="wide">
      {isOpen && <AssetList intake={intake} onClose={onClose} />}
    </Dialog>
  );
}

function AssetList({ intake, onClose }: Pick<AssetPickerProps, "intake" | "onClose">) {
  const { t } = useTranslation("editor");
  const workspaceId = useWorkspaceId();
  const assets = useInfiniteQuery(
    pagedQuery(["workspace", workspaceId, "assets", "ready"], (after, signal) =>
      clientOf(workspaceId)
        .assets.list({ status: "ready", limit: PAGE_SIZE, ...after }, { signal })
        .firstPage(),
    ),
  );
  const take = useMutation({
    mutationFn: async (asset: Asset) =>
      intake.take([{ blob: await fetchAsset(workspaceId, asset), name: asset.fileName, slot: asset.slotId }]),
    onSuccess: onClose,
  });
  if (assets.isPending) return <Loading />;
  if (assets.isError) return <ErrorNote error={assets.error} />;
  const all = withoutTwins(assets.data.pages.flatMap(({ items }) => items));
  if (all.length === 0)
    return <p className="py-8 text-center text-sm text-quiet">{t("earlierFiles.empty")}</p>;
  return (
    <div className="flex flex-col gap-4">
      <ErrorNote error={take.error}>{t("earlierFiles.failed")}</ErrorNote>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {all.map((asset) => (
          <li key={asset.assetId}>
            <button
              type="button"
              disabled={take.isPending}
              onClick={() => take.mutate(asset)}
              className="flex w-full flex-col gap-1.5 rounded-lg border border-line bg-card p-2 text-left hover:border-strong-line disabled:opacity-50"
            >
              <AssetPicture asset={asset} />
              <span className="truncate text-xs font-medium">{asset.fileName}</span>
              <span className="text-xs text-quiet">{t(`slots.${asset.slotId}`)}</span>
            </button>
          </li>
        ))}
      </ul>
      <MoreButton query={assets} />
    </div>
  );
}

/** A file used in several slots, or uploaded twice, is shown once per slot. */
function withoutTwins(assets: readonly Asset[]): Asset[] {
  const seen = new Set<string>();
  return assets.filter(({ slotId, sha256 }) => {
    const key = `${slotId} ${sha256}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** An asset's picture, fetched with the page's key; a symbol for a font. */
function AssetPicture({ asset }: { readonly asset: Asset }) {
  const workspaceId = useWorkspaceId();
  const isFont = asset.mimeType?.startsWith("font/") === true;
  const { data } = useQuery({
    queryKey: ["asset-picture", workspaceId, asset.assetId],
    queryFn: ({ signal }) => fetchAsset(workspaceId, asset, signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !isFont,
  });
  const address = useBlobUrl(data ?? null);
  return (
    <span className="flex aspect-4/3 items-center justify-center overflow-hidden rounded-md bg-white text-2xl text-black">
      {address !== null && <img src={address} alt="" loading="lazy" className="size-full object-contain" />}
      {isFont && <span aria-hidden="true">Aa</span>}
    </span>
  );
}

/** Downloads an asset as a file. Throws the client library's errors. */
async function fetchAsset(
  workspaceId: string,
  { assetId, mimeType }: Pick<Asset, "assetId" | "mimeType">,
  signal?: AbortSignal,
): Promise<Blob> {
  const bytes = await clientOf(workspaceId).assets.content(assetId, { signal });
  return new Blob([bytes], { type: mimeType ?? "" });
}

/** Downloads and inspects an asset, like a chosen file. Throws the client library's errors. */
export async function inspectAsset(
  workspaceId: string,
  assetId: string,
  signal?: AbortSignal,
): Promise<Inspected> {
  const asset = await clientOf(workspaceId).assets.get(assetId, { signal });
  const bytes = await fetchAsset(workspaceId, asset, signal);
  return inspectFile(bytes, asset.fileName, converterWith(null));
}
