import { memo, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Drawing, Engine, Tile } from "#engine/types.ts";
import { VerdictBadge } from "#report/report-parts.tsx";
import { useReportWords } from "#report/use-report-words.ts";
import { Badge } from "#ui/badge.tsx";
import { type SizeInfo, tileWidthOf } from "#ui/size-tiles.tsx";
import { TRANSPORT_PX_MIN, Transport } from "./transport.tsx";
import { usePlayback } from "./use-playback.ts";

interface TileCardProps {
  readonly engine: Engine | null;
  readonly size: SizeInfo;
  readonly name: string;
  readonly tile: Tile | null;
  /** Of its place, in device pixels. */
  readonly widthPx: number;
  /** Whether the pack moves: it can be played then. */
  readonly isMoving: boolean;
  readonly watch: (element: HTMLElement | null) => void;
  readonly onZoom: (sizeId: string) => void;
}

/** One size of the grid, in a place that is as large before it is drawn as after. */
export const TileCard = memo((props: TileCardProps) => {
  const { engine, size, name, tile, widthPx, isMoving, watch, onZoom } = props;
  const { t } = useTranslation("grid");
  const { altOf, faultWords } = useReportWords();
  const drawing = tile?.drawing ?? null;
  const fault = tile?.fault ?? null;
  const alt = drawing === null ? t("alt.drawing", { name }) : altOf(name, drawing.layout);
  const playback = usePlayback(engine, size.sizeId, widthPx, drawing);
  const problem = fault ?? playback.fault;
  const width = tileWidthOf(size);
  return (
    <figure
      ref={watch}
      data-size-id={size.sizeId}
      className="group flex max-w-full flex-col gap-1.5"
      style={{ width: isMoving ? Math.max(width, TRANSPORT_PX_MIN) : width }}
    >
      <button
        type="button"
        aria-label={t("zoom.open", { name })}
        onClick={() => onZoom(size.sizeId)}
        className={`relative max-w-full overflow-hidden border border-line bg-sunk ${drawing === null && fault === null ? "animate-pulse" : ""}`}
        style={{ width, aspectRatio: `${size.width} / ${size.height}` }}
      >
        <PictureCanvas picture={playback.picture ?? drawing?.picture ?? null} alt={alt} />
        {fault !== null && drawing !== null && <span className="absolute inset-0 bg-paper opacity-70" />}
      </button>
      {isMoving && <Transport name={name} playback={playback} isQuiet isDisabled={drawing === null} />}
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
      {problem !== null && <p className="text-xs text-red">{faultWords(problem)}</p>}
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
