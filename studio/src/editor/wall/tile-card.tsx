import { memo, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Drawing, Tile } from "#engine/types.ts";
import { VerdictBadge } from "#report/report-parts.tsx";
import { useReportWords } from "#report/use-report-words.ts";
import { Badge } from "#ui/badge.tsx";
import { type SizeInfo, tileWidthOf } from "#ui/size-tiles.tsx";

interface TileCardProps {
  readonly size: SizeInfo;
  readonly name: string;
  readonly tile: Tile | null;
  readonly watch: (element: HTMLElement | null) => void;
  readonly onZoom: (sizeId: string) => void;
}

/** One size of the wall, in a place that is as large before it is drawn as after. */
export const TileCard = memo(({ size, name, tile, watch, onZoom }: TileCardProps) => {
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
        {drawing !== null && fault === null && <DrawingVerdict drawing={drawing} />}
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

export const DrawingVerdict = ({ drawing: { compliance, layout } }: { readonly drawing: Drawing }) => (
  <VerdictBadge isPass={compliance.verdict === "pass"} adjustments={layout.adjustments} />
);

interface PictureCanvasProps {
  /** Null leaves the place empty. */
  readonly picture: ImageData | null;
  /** What it shows, for screen readers. */
  readonly alt: string;
}

/** Pixels on a canvas that fills its place. */
export function PictureCanvas({ picture, alt }: PictureCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current === null || picture === null) return;
    if (canvas.current.width !== picture.width) canvas.current.width = picture.width;
    if (canvas.current.height !== picture.height) canvas.current.height = picture.height;
    canvas.current.getContext("2d")?.putImageData(picture, 0, 0);
  }, [picture]);
  return <canvas ref={canvas} role="img" aria-label={alt} className="absolute inset-0 size-full" />;
}
