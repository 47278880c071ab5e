import { useTranslation } from "react-i18next";
import { useReportWords } from "#report/use-report-words.ts";
import { VerdictBadge } from "#report/verdict-badge.tsx";
import { tileWidthOf } from "#ui/size-tiles.tsx";
import { useBytes } from "#ui/use-bytes.ts";
import { FilePicture } from "./file-picture.tsx";
import { isAnimated, keepsRules, type PackSize } from "./pack-files.ts";

interface PackTileProps {
  readonly artifactId: string;
  readonly size: PackSize;
  readonly name: string;
  readonly isPlaying: boolean;
  readonly onOpen: () => void;
}

/** One size of a pack in its proportions; opens it large. */
export function PackTile({ artifactId, size, name, isPlaying, onOpen }: PackTileProps) {
  const { t } = useTranslation("packs");
  const { altOf } = useReportWords();
  const bytes = useBytes();
  const { file } = size;
  return (
    <figure className="flex max-w-full flex-col gap-1.5" style={{ width: tileWidthOf(file) }}>
      <button
        type="button"
        aria-label={t("pack.open", { name })}
        onClick={onOpen}
        className="border border-line hover:border-strong-line"
      >
        <FilePicture
          artifactId={artifactId}
          file={file}
          alt={altOf(name, file.layout)}
          isPlaying={isPlaying || !isAnimated(file)}
        />
      </button>
      <figcaption className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-quiet tabular-nums">
        {file.width} × {file.height} <span>{bytes(file.byteLength)}</span>{" "}
        <VerdictBadge isPass={keepsRules(size)} adjustments={file.layout.adjustments} />
      </figcaption>
    </figure>
  );
}
