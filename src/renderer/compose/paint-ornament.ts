import { isInside } from "../box-geometry.ts";
import { worstContrast } from "../colour/contrast.ts";
import type { Theme } from "../colour/theme.ts";
import { inset, isOverlapping } from "../layout/design/boxes.ts";
import { boxesOf } from "../layout/design/design.ts";
import { type Brief, type Design, growBy } from "../layout/index.ts";
import { fillBox } from "../raster/blend.ts";
import type { Rgb } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";

/** Lines of an ornament, each a box of whole pixels. */
export interface PlacedOrnament {
  readonly lines: readonly Box[];
  readonly colour: Rgb;
}

/** Minimum width and height of a canvas with an ornament, in pixels: on a smaller canvas it would be clutter. */
const EDGE_PX_MIN = 200;
/** A frame's distance from the canvas edge, as a multiple of the margin. */
const FRAME_MARGINS = 0.42;
/** Minimum fraction of a frame's length that must be free. */
const FRAME_SHARE_MIN = 0.5;
/** Minimum contrast of an ornament with its background. */
const SEEN_CONTRAST_MIN = 1.25;

/**
 * A design's ornament, in the file's pixels; `design` is at scale 1. Null if the look has none, or if every place for
 * it touches another element.
 */
export function ornamentOf(
  canvas: Raster,
  brief: Brief,
  design: Design,
  theme: Theme,
): PlacedOrnament | null {
  const { look, width, height } = brief;
  if (look.ornament === "none" || Math.min(width, height) < EDGE_PX_MIN) return null;
  if (design.texts.length === 0) return null;
  const { lines: places, colours } = ornamentWith(brief, design, theme);
  const lines = places.map(growBy(brief.pixelScale));
  if (lines.length === 0) return null;
  const worst = (colour: Rgb) => Math.min(...lines.map((line) => worstContrast(canvas, line, colour)));
  const colour = colours.find((one) => worst(one) >= SEEN_CONTRAST_MIN) ?? theme.ink;
  return { lines, colour };
}

/** The lines of an ornament, and the colours to try, the preferred colour first. */
function ornamentWith(brief: Brief, design: Design, theme: Theme) {
  const line = Math.max(1, Math.round(Math.min(brief.width, brief.height) / 480));
  const { ornament } = brief.look;
  if (ornament === "frame") return { lines: frameLines(brief, design, line), colours: [theme.accent] };
  const over = overHeadline(brief, design, line);
  if (ornament === "rule") {
    // If there is no place above the headline, draw rules at the top and bottom of the canvas.
    return { lines: over ?? frameLines(brief, design, line, 2), colours: [theme.quietInk] };
  }
  return {
    lines: over ?? edgeBar(brief, design),
    colours: over === null ? [theme.accentFill] : [theme.button],
  };
}

/** Hairlines inside the edge, top and bottom first, interrupted by elements that reach them. */
function frameLines(brief: Brief, design: Design, line: number, count = 4): readonly Box[] {
  const gap = Math.round(brief.scale.marginPx * FRAME_MARGINS);
  const { width, height } = brief;
  const across = { x: gap, y: gap, width: width - gap * 2, height: line };
  const down = { x: gap, y: gap, width: line, height: height - gap * 2 };
  const whole: readonly Box[] = [
    across,
    { ...across, y: height - gap - line },
    down,
    { ...down, x: width - gap - line },
  ].slice(0, count);
  // A frame may cross a photo that fills the canvas, but no other picture.
  const pictures = design.pictures.filter(({ box }) => box.width < width || box.height < height);
  const obstacles = [...boxesOf(design), ...pictures.map(({ box }) => box)];
  const attentions = design.pictures.map((picture) => brief.attentionOf(picture));
  const lines = whole
    .flatMap((one) =>
      obstacles.reduce((parts, box) => cutBy(parts, inset(box, -gap * 0.6, -gap * 0.6)), [one]),
    )
    .filter((one) => attentions.every((attention) => attention(one) < 1));
  const lengthOf = (all: readonly Box[]) =>
    all.reduce((sum, one) => sum + Math.max(one.width, one.height), 0);
  return lengthOf(lines) >= lengthOf(whole) * FRAME_SHARE_MIN ? lines : [];
}

/** Lines without the parts that a box covers. */
const cutBy = (lines: readonly Box[], box: Box): Box[] =>
  lines.flatMap((line) => {
    if (!isOverlapping(line, box)) return [line];
    const [endX, endY] = [Math.ceil(box.x + box.width), Math.ceil(box.y + box.height)];
    const parts: readonly Box[] =
      line.width > line.height
        ? [
            { ...line, width: Math.floor(box.x) - line.x },
            { ...line, x: endX, width: line.x + line.width - endX },
          ]
        : [
            { ...line, height: Math.floor(box.y) - line.y },
            { ...line, y: endY, height: line.y + line.height - endY },
          ];
    return parts.filter(({ width, height }) => width > 0 && height > 0);
  });

/** A rule as wide as the headline, or a short bar, between the headline and the element above it. */
function overHeadline(brief: Brief, design: Design, line: number): readonly Box[] | null {
  const headline = design.texts.find(({ role }) => role === "headline");
  if (headline === undefined) return null;
  const { look, scale } = brief;
  const size = headline.set.fontSizePx;
  const isRule = look.ornament === "rule";
  const height = isRule ? line : Math.max(3, Math.round(size * 0.12));
  const gap = Math.round(isRule ? Math.max(scale.marginPx * 0.5, size * 0.4) : size * 0.36);
  const isCentred = look.layout.align === "center" || isCentredUnder(design, headline.ink);
  const width = Math.round(isRule ? Math.max(headline.ink.width, size * 4) : size * 1.1);
  const left = isCentred ? headline.ink.x + (headline.ink.width - width) / 2 : headline.ink.x;
  const box: Box = { x: Math.round(left), y: Math.round(headline.ink.y - gap - height), width, height };
  if (!isFree(box, design, isRule ? gap * 0.6 : gap) || !isInside(box, brief.safe)) return null;
  // Ornaments belong to the panel: on a photo a line looks like a scratch.
  const panel = design.textCard?.box;
  if (
    panel === undefined ? isOnPicture(inset(box, 0, -gap), design) : !isInside(inset(box, 0, -gap), panel)
  ) {
    return null;
  }
  return [box];
}

/** A bar at the edge of the canvas beside the headline; beside a coloured field it would look doubled. */
function edgeBar({ width, scale }: Brief, design: Design): readonly Box[] {
  const headline = design.texts.find(({ role }) => role === "headline");
  if (headline === undefined || design.graphic !== undefined) return [];
  const { x, y, width: wide, height } = headline.ink;
  const thick = Math.round(scale.marginPx * 0.4);
  const isAtEnd = x > width - x - wide;
  const bar = { x: isAtEnd ? width - thick : 0, y: Math.round(y), width: thick, height: Math.round(height) };
  return isOnPicture(bar, design) || !isFree(inset(bar, -2, 0), design, 0) ? [] : [bar];
}

const isOnPicture = (box: Box, { pictures, graphic }: Design): boolean =>
  [...pictures.map((picture) => picture.box), ...[graphic?.field ?? []].flat()].some((other) =>
    isOverlapping(other, box),
  );

/** Whether the button or the logo is centred below the headline: then the arrangement is centred. */
const isCentredUnder = ({ button, logo }: Design, headline: Box): boolean =>
  [button?.box, logo].some(
    (box) => box != null && Math.abs(box.x + box.width / 2 - headline.x - headline.width / 2) <= 2,
  );

const isFree = (box: Box, design: Design, air: number): boolean =>
  boxesOf(design).every((other) => !isOverlapping(inset(box, 0, -air), other));

export function paintOrnament(canvas: Raster, ornament: PlacedOrnament | null): void {
  for (const line of ornament?.lines ?? []) fillBox(canvas, line, ornament?.colour ?? { r: 0, g: 0, b: 0 });
}
