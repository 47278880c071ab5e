import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { WallTile } from "#drawing/types.ts";
import { Badge } from "#ui/badge.tsx";
import { PictureCanvas } from "./picture-canvas.tsx";
import { tileWidthOf, type WallSizeInfo } from "./tile-size.ts";
import { useReportWords } from "./use-report-words.ts";
import { VerdictBadge } from "./verdict-badge.tsx";

interface WallTileCardProps {
  readonly size: WallSizeInfo;
  readonly name: string;
  readonly tile: WallTile | null;
  readonly watch: (element: HTMLElement | null) => void;
  readonly onZoom: (sizeId: string) => void;
}

/** One size of the wall, in a place that is as large before it is drawn as after. */
export const WallTileCard = memo(({ size, name, tile, watch, onZoom }: WallTileCardProps) => {
  const { t } = useTranslation("wall");
  const { altOf, faultWords } = useReportWords();
  const drawing = tile?.drawing ?? null;
  const fault = tile?.fault ?? null;
  const alt = drawing === null ? t("alt.drawing", { name }) : altOf(name, drawing.layout);
  const width = tileWidthOf(size);
  return (
    <figure
      ref={watch}
      data-size-id={size.sizeId}
      className="flex max-w-full flex-col gap-1.5"
      style={{ width }}
    >
      <button
        type="button"
        aria-label={t("zoom.open", { name })}
        onClick={() => onZoom(size.sizeId)}
        className={`relative w-full overflow-hidden border border-line bg-sunk ${drawing === null && fault === null ? "animate-pulse" : ""}`}
        style={{ aspectRatio: `${size.width} / ${size.height}` }}
      >
        <PictureCanvas picture={drawing?.picture ?? null} alt={alt} />
        {fault !== null && drawing !== null && <span className="absolute inset-0 bg-paper opacity-70" />}
      </button>
      <figcaption className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-quiet">
        <span className="tabular-nums">
          {size.width} × {size.height}
        </span>
        {drawing !== null && fault === null && <VerdictBadge drawing={drawing} />}
        {/* Its place, so that no tile moves when another is drawn. */}
        {drawing === null && fault === null && (
          <span aria-hidden="true" className="invisible">
            <Badge tone="good">{t("verdict.pass")}</Badge>
          </span>
        )}
      </figcaption>
      {fault !== null && <p className="text-xs text-red">{faultWords(fault)}</p>}
    </figure>
  );
});
