import { useQuery } from "@tanstack/react-query";
import type { Artifact } from "creative-packs";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { contractQuery } from "#editor/sizes/contract-queries.ts";
import { useSizeNames } from "#editor/sizes/size-names.ts";
import { VerdictBadge } from "#report/report-parts.tsx";
import { isWarning, useReportWords } from "#report/use-report-words.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/button.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { TILE, TileCaption, TileGroups } from "#ui/size-tiles.tsx";
import { useBytes } from "#ui/use-bytes.ts";
import { FileDialog } from "./file-dialog.tsx";
import { FilePicture } from "./file-picture.tsx";
import { isAnimated, keepsRules, type PackSize, sizesOfPack, tileFileOf } from "./pack-files.ts";
import { useDownload } from "./pack-queries.ts";

const isMotionLiked = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;

const hasNotes = ({ file }: PackSize): boolean => file.layout.adjustments.some(isWarning);

/** Counts of sizes that are ready, have notes, or break a rule, as the end of a line. */
export function PackSummary({ pack }: { readonly pack: Artifact }) {
  const { t } = useTranslation("packs");
  const { data: contract } = useQuery(contractQuery(pack.pack.contractId));
  const all = sizesOfPack(pack, contract);
  const broken = all.filter((size) => !keepsRules(size)).length;
  const noted = all.filter((size) => keepsRules(size) && hasNotes(size)).length;
  if (broken > 0) return <Badge tone="bad">{t("pack.broken", { count: broken })}</Badge>;
  if (noted === 0) return `· ${t("pack.summary", { count: all.length })}`;
  return `· ${t("pack.ready", { count: all.length - noted })} · ${t("pack.noted", { count: noted })}`;
}

/** All sizes of a pack by network, as in the editor's grid; one can be opened large. */
export function PackGallery({ pack }: { readonly pack: Artifact }) {
  const { t } = useTranslation("packs");
  const { groupName, sizeName } = useSizeNames();
  const { data: contract } = useQuery(contractQuery(pack.pack.contractId));
  const [isPlaying, setIsPlaying] = useState(isMotionLiked);
  const [openId, setOpenId] = useState<string | null>(null);
  const all = sizesOfPack(pack, contract);
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
      {pack.files.some((file) => isAnimated(file) && file.contentType !== "application/zip") && (
        <div>
          <Button onClick={() => setIsPlaying(!isPlaying)}>{t(isPlaying ? "pack.stop" : "pack.play")}</Button>
        </div>
      )}
      <TileGroups
        sizes={all}
        groupName={groupName}
        heading="h2"
        boxOf={({ file }) => file}
        tile={(size) => (
          <PackTile
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

interface PackTileProps {
  readonly artifactId: string;
  readonly size: PackSize;
  readonly name: string;
  readonly isPlaying: boolean;
  readonly onOpen: () => void;
}

/** One size of a pack in its proportions; opens it large. */
function PackTile({ artifactId, size, name, isPlaying, onOpen }: PackTileProps) {
  const { t } = useTranslation("packs");
  const { altOf } = useReportWords();
  const bytes = useBytes();
  const { file } = size;
  const shown = tileFileOf(size, isPlaying);
  const download = useDownload(artifactId, file);
  return (
    <figure className={TILE}>
      <button
        type="button"
        aria-label={t("pack.open", { name })}
        onClick={onOpen}
        className="w-full cursor-zoom-in overflow-hidden rounded-sm bg-card shadow-sm transition-shadow hover:shadow-lg"
      >
        <FilePicture
          key={shown.fileId}
          artifactId={artifactId}
          file={shown}
          alt={altOf(name, file.layout)}
          isPlaying={isPlaying || !isAnimated(shown)}
        />
      </button>
      <TileCaption
        box={file}
        action={
          <IconButton
            icon={Download}
            label={t("pack.downloadOf", { name: file.fileName })}
            onClick={() => download.isPending || download.mutate()}
            aria-busy={download.isPending}
            className="h-8! min-w-7! px-0! hover:bg-card pointer-coarse:size-11!"
          />
        }
      >
        <span className="@max-[4rem]:hidden pointer-coarse:@max-[6rem]:hidden">
          {file.contentType === "application/zip" && "HTML5 · "}
          {file.contentType === "video/mp4" && "MP4 · "}
          {bytes(file.byteLength)}
        </span>
        {(!keepsRules(size) || hasNotes(size)) && (
          <span className="ml-auto flex min-w-0 *:truncate *:inline-block @max-[6rem]:hidden">
            <VerdictBadge isPass={keepsRules(size)} adjustments={file.layout.adjustments} />
          </span>
        )}
      </TileCaption>
    </figure>
  );
}
