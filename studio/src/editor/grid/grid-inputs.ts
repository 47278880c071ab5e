import { useQueries, useQuery } from "@tanstack/react-query";
import type { PreviewProtection } from "creative-packs-service/preview-quota";
import type { SlotId } from "creative-packs-service/slots";
import { markSeedOf } from "creative-packs-service/watermark-seed";
import { useMemo } from "react";
import { clientOf } from "#api/client.ts";
import { useWorkspaceId } from "#app/workspace.ts";
import { brandedInputs, useBrandFiles, useDraftBrand } from "#brands/draft-brand.ts";
import type { DrawInputs, SlotFile } from "#engine/types.ts";
import { type Draft, filesOf, normalText } from "../draft/draft.ts";
import { useDraft, useDraftId } from "../draft/editor-store.ts";
import { fileQuery } from "../draft/file-bytes.ts";
import { takes } from "../files/guess-slot.ts";

/** Engine inputs except the sizes: the order's content, with files instead of asset ids. */
export type GridInputs = Omit<DrawInputs, "sizes">;

/** Inputs of the open draft; null until its files and the account's protection are loaded. */
export function useGridInputs(): GridInputs | null {
  const workspaceId = useWorkspaceId();
  const draftId = useDraftId();
  const draft = useDraft((one) => one);
  // A file that its slot rejects is marked on its card; sizes are drawn without it.
  const filled = useMemo(
    () => filesOf(draft.files).filter(([slot, file]) => takes(slot, file)),
    [draft.files],
  );
  const quota = useQuery({
    queryKey: ["workspace", workspaceId, "protection"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await clientOf(workspaceId).previews.quota({ signal })).protection,
  });
  const files = useQueries({
    queries: filled.map(([, { sha256 }]) => fileQuery(draftId, sha256)),
    combine: (results) =>
      results.some(({ isPending }) => isPending) ? null : results.map(({ data }) => data ?? null),
  });
  const brand = useDraftBrand();
  const brandFiles = useBrandFiles(brand?.assetIds);
  // Offline, the protection is unknown: assume the strictest.
  const protection =
    quota.data ?? (quota.isError || quota.fetchStatus === "paused" ? "watermarked-lowres" : null);
  return useMemo(() => {
    if (files === null || protection === null || brand === undefined || brandFiles === null) return null;
    const assets: Partial<Record<SlotId, SlotFile>> = {};
    for (const [index, [slot, { sha256, mimeType }]] of filled.entries()) {
      const file = files[index]?.bytes;
      if (file !== undefined) assets[slot] = { id: sha256, mimeType, file };
    }
    return {
      ...inputsOf(draft, protection, workspaceId),
      ...brandedInputs(draft, assets, brand, brandFiles),
    };
  }, [draft, filled, files, brand, brandFiles, protection, workspaceId]);
}

function inputsOf(
  draft: Draft,
  protection: PreviewProtection,
  workspaceId: string,
): Omit<GridInputs, "assets" | "copy" | "brand" | "look"> {
  const { variant, composition, contractId, placements, motion, outputFormat } = draft;
  const overrides = Object.entries(draft.overrides).map(([sizeId, own]) => {
    const override = {
      copy: normalTexts(own.texts),
      placements: own.placements,
      variant: own.variant ?? undefined,
      composition: own.composition,
      scale: own.scale,
    };
    return [sizeId, override] as const;
  });
  return {
    variant,
    composition,
    contractId,
    placements,
    motion,
    outputFormat,
    protection,
    overrides: Object.fromEntries(overrides),
    markSeed: markSeedOf(workspaceId, protection),
  };
}

const normalTexts = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, normalText(text)]));
