import { useQuery } from "@tanstack/react-query";
import type { Artifact } from "creative-packs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { contractQuery } from "#editor/sizes/contract-queries.ts";
import { useSizeNames } from "#editor/sizes/size-names.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { TileGroups } from "#ui/size-tiles.tsx";
import { FileDialog } from "./file-dialog.tsx";
import { isAnimated, keepsRules, sizesOfPack } from "./pack-files.ts";
import { PackTile } from "./pack-tile.tsx";

const isMotionLiked = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Every size of a pack by network, as the editor's wall shows them; one of them large. */
export function PackGallery({ pack }: { readonly pack: Artifact }) {
  const { t } = useTranslation("packs");
  const { groupName, sizeName } = useSizeNames();
  const { data: contract } = useQuery(contractQuery(pack.pack.contractId));
  const [isPlaying, setIsPlaying] = useState(isMotionLiked);
  const [openId, setOpenId] = useState<string | null>(null);
  const all = sizesOfPack(pack, contract);
  const broken = all.filter((size) => !keepsRules(size)).length;
  const at = all.findIndex(({ sizeId }) => sizeId === openId);
  const open = all[at];
  const nameOf = (size: (typeof all)[number]): string =>
    sizeName({ group: size.group, width: size.file.width, height: size.file.height });
  const stepTo = (index: number): (() => void) | null => {
    const size = all[index];
    return size === undefined ? null : () => setOpenId(size.sizeId);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 text-sm">
        {broken === 0 ? (
          <p className="text-quiet">{t("pack.summary", { count: pack.files.length })}</p>
        ) : (
          <Badge tone="bad">{t("pack.broken", { count: broken })}</Badge>
        )}
        {pack.files.some(isAnimated) && (
          <Button onClick={() => setIsPlaying(!isPlaying)}>{t(isPlaying ? "pack.stop" : "pack.play")}</Button>
        )}
      </div>
      <TileGroups
        sizes={all}
        groupName={groupName}
        heading="h2"
        boxOf={({ file }) => file}
        tile={(size) => (
          <PackTile
            key={size.sizeId}
            artifactId={pack.artifactId}
            size={size}
            name={nameOf(size)}
            isPlaying={isPlaying}
            onOpen={() => setOpenId(size.sizeId)}
          />
        )}
      />
      {open !== undefined && (
        <FileDialog
          artifactId={pack.artifactId}
          size={open}
          name={nameOf(open)}
          isPlaying={isPlaying}
          onPrevious={stepTo(at - 1)}
          onNext={stepTo(at + 1)}
          onClose={() => setOpenId(null)}
        />
      )}
    </>
  );
}
