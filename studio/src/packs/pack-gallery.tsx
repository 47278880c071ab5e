import { useQuery } from "@tanstack/react-query";
import type { Artifact } from "creative-packs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { contractQuery } from "#editor/sizes/contract-queries.ts";
import { useSizeNames } from "#editor/sizes/size-names.ts";
import { VerdictBadge } from "#report/report-parts.tsx";
import { useReportWords } from "#report/use-report-words.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { TileGroups } from "#ui/size-tiles.tsx";
import { useBytes } from "#ui/use-bytes.ts";
import { FileDialog } from "./file-dialog.tsx";
import { FilePicture } from "./file-picture.tsx";
import { isAnimated, keepsRules, type PackSize, sizesOfPack, tileFileOf } from "./pack-files.ts";

const isMotionLiked = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Every size of a pack by network, as the editor's grid shows them; one of them large. */
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
        {pack.files.some((file) => isAnimated(file) && file.contentType !== "application/zip") && (
          <Button onClick={() => setIsPlaying(!isPlaying)}>{t(isPlaying ? "pack.stop" : "pack.play")}</Button>
        )}
      </div>
      <TileGroups
        sizes={all}
        groupName={groupName}
        heading="h2"
        boxOf={({ file }) => file}
        tile={(size, widthPx) => (
          <PackTile
            key={size.sizeId}
            artifactId={pack.artifactId}
            size={size}
            widthPx={widthPx}
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

interface PackTileProps {
  readonly artifactId: string;
  readonly size: PackSize;
  readonly widthPx: number;
  readonly name: string;
  readonly isPlaying: boolean;
  readonly onOpen: () => void;
}

/** One size of a pack in its proportions; opens it large. */
function PackTile({ artifactId, size, widthPx, name, isPlaying, onOpen }: PackTileProps) {
  const { t } = useTranslation("packs");
  const { altOf } = useReportWords();
  const bytes = useBytes();
  const { file } = size;
  const shown = tileFileOf(size, isPlaying);
  return (
    <figure className="flex max-w-full flex-col gap-1.5" style={{ width: Math.max(150, widthPx) }}>
      <button
        type="button"
        aria-label={t("pack.open", { name })}
        onClick={onOpen}
        style={{ width: widthPx }}
        className="max-w-full border border-line hover:border-strong-line"
      >
        <FilePicture
          key={shown.fileId}
          artifactId={artifactId}
          file={shown}
          alt={altOf(name, file.layout)}
          isPlaying={isPlaying || !isAnimated(shown)}
        />
      </button>
      <figcaption className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-quiet tabular-nums">
        {file.width} × {file.height}
        {file.contentType === "application/zip" && <span>HTML5</span>}
        {file.contentType === "video/mp4" && <span>MP4</span>} <span>{bytes(file.byteLength)}</span>{" "}
        <VerdictBadge isPass={keepsRules(size)} adjustments={file.layout.adjustments} />
      </figcaption>
    </figure>
  );
}
