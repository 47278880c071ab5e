import { TriangleAlert } from "lucide-react";
import { type KeyboardEvent, memo, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Tile } from "#engine/types.ts";
import { isWarning, useReportWords } from "#report/use-report-words.ts";
import type { SizeInfo } from "#ui/size-tiles.tsx";
import { useTile } from "../use-engine.ts";
import { PLACE_MIN, type PlacedTile } from "./pack-tiles.ts";

interface TileCardProps {
  readonly placed: PlacedTile<SizeInfo>;
  readonly name: string;
  /** Animation frame shown instead of the drawing; null while not playing. */
  readonly frame: ImageData | null;
  /** Whether the size has overrides. */
  readonly hasOwn: boolean;
  readonly isSelected: boolean;
  /** Whether the tile is near the end edge of the grid. A long label then extends towards the start. */
  readonly isNearEnd: boolean;
  /** Whether Tab reaches this tile. Only one tile is a tab stop. */
  readonly isStop: boolean;
  readonly onSelect: (sizeId: string) => void;
  readonly onEnlarge: (sizeId: string) => void;
  readonly onFocus: (sizeId: string) => void;
}

const GROWS_BACKWARDS =
  "group-hover:-right-1 group-hover:left-auto group-has-focus-visible:-right-1 group-has-focus-visible:left-auto group-data-selected:-right-1 group-data-selected:left-auto";

/** A size on the grid: its picture and dimensions, and its name on hover or focus. */
export const TileCard = memo((props: TileCardProps) => {
  const { placed, name, frame, hasOwn, isSelected, isNearEnd, isStop } = props;
  const { onSelect, onEnlarge, onFocus } = props;
  const { x, y, width, height, size } = placed;
  const { sizeId } = size;
  const { t } = useTranslation("grid");
  const { altOf, faultWords } = useReportWords();
  const tile = useTile(sizeId);
  const drawing = tile?.drawing ?? null;
  const fault = tile?.fault ?? null;
  const alt = drawing === null ? t("alt.drawing", { name }) : altOf(name, drawing.layout);
  // Enter selects, like a click; Space enlarges.
  const onSpace = (event: KeyboardEvent): void => {
    if (event.key !== " ") return;
    event.preventDefault();
    if (event.type === "keyup") onEnlarge(sizeId);
  };
  return (
    <figure
      data-size-id={sizeId}
      data-selected={isSelected || undefined}
      className="group absolute hover:z-10 focus-within:z-10 data-selected:z-10"
      style={{ left: x, top: y, width }}
    >
      <button
        type="button"
        tabIndex={isStop ? 0 : -1}
        aria-label={t(hasOwn ? "tile.editOwn" : "tile.edit", { name })}
        aria-haspopup="dialog"
        aria-expanded={isSelected}
        onClick={() => onSelect(sizeId)}
        onDoubleClick={() => onEnlarge(sizeId)}
        onKeyDown={onSpace}
        onKeyUp={onSpace}
        onFocus={() => onFocus(sizeId)}
        className={`block min-w-6 outline-offset-2 ${isSelected ? "outline-2 outline-accent" : "not-focus-visible:hover:outline-1 not-focus-visible:hover:outline-strong-line"}`}
        style={{ minHeight: PLACE_MIN.height }}
      >
        <span
          data-skeleton={(drawing === null && fault === null) || undefined}
          className={`relative block overflow-hidden bg-card shadow-[0_0_0_1px_var(--line),0_1px_3px_rgb(0_0_0/0.12)] ${isSelected ? "" : "in-data-editing:opacity-15"}`}
          style={{ width, height }}
        >
          <PictureCanvas picture={frame ?? drawing?.picture ?? null} alt={alt} />
          {fault !== null && (
            <span className="absolute inset-0 bg-paper/85 p-1 text-left text-[11px] leading-tight text-red">
              {faultWords(fault)}
            </span>
          )}
        </span>
      </button>
      <figcaption
        className={`pointer-events-none not-group-hover:not-group-has-focus-visible:not-group-data-selected:in-data-editing:invisible absolute top-full -left-1 mt-0.5 flex h-5 w-max items-center gap-1.5 rounded px-1 text-[11px] whitespace-nowrap text-quiet tabular-nums group-hover:bg-ink group-hover:px-2 group-hover:text-paper group-has-focus-visible:bg-ink group-has-focus-visible:px-2 group-has-focus-visible:text-paper group-data-selected:bg-accent group-data-selected:px-2 group-data-selected:text-on-accent ${isNearEnd ? GROWS_BACKWARDS : ""}`}
      >
        {hasOwn && (
          <span
            aria-hidden="true"
            className="size-1.5 rounded-full bg-accent group-hover:bg-current group-has-focus-visible:bg-current group-data-selected:bg-current"
          />
        )}
        <span className="group-hover:hidden group-has-focus-visible:hidden group-data-selected:hidden">
          {size.width} × {size.height}
        </span>
        <span className="hidden group-hover:inline group-has-focus-visible:inline group-data-selected:inline">
          {name}
        </span>
        <TileNote tile={tile} isWordShown={width >= NOTE_PX_MIN} />
      </figcaption>
    </figure>
  );
});

/** Minimum tile width for a note's text in its label. */
const NOTE_PX_MIN = 175;

interface TileNoteProps {
  readonly tile: Tile | null;
  readonly isWordShown: boolean;
}

/** Warning mark of a tile that breaks a rule or has notes, with text if there is room; otherwise nothing. */
function TileNote({ tile, isWordShown }: TileNoteProps) {
  const { t } = useTranslation("grid");
  const { elementName } = useReportWords();
  const drawing = tile?.drawing ?? null;
  const isBroken = (tile?.fault ?? null) !== null || drawing?.compliance.verdict === "fail";
  const warnings = drawing?.layout.adjustments.filter(isWarning) ?? [];
  const [first] = warnings;
  if (!isBroken && first === undefined) return null;
  const element = warnings.length === 1 && first?.code.endsWith("_dropped") ? first.element : null;
  const note =
    element === null || element === undefined
      ? t("verdict.notes", { count: warnings.length })
      : t("verdict.leftOut", { element: elementName(element) });
  return (
    <span
      title={isWordShown || isBroken ? undefined : note}
      className={`pointer-events-auto flex items-center gap-1 group-hover:text-inherit group-data-selected:text-inherit ${isBroken ? "text-red" : "text-amber"}`}
    >
      <TriangleAlert className="size-3" />
      <span className={isWordShown ? "inline-block first-letter:uppercase" : "sr-only"}>
        {isBroken ? t("verdict.fail") : note}
      </span>
    </span>
  );
}

interface PictureCanvasProps {
  /** Null shows nothing. */
  readonly picture: ImageData | null;
  /** Text for screen readers. */
  readonly alt: string;
}

/** Draws a picture on a canvas that fills its parent. */
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
