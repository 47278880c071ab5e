import type { Theme } from "../colour/theme.ts";
import { inset, isOverlapping } from "../layout/design/boxes.ts";
import { boxesOf } from "../layout/design/design.ts";
import { type Brief, type Design, growBy, type PlacedPicture } from "../layout/index.ts";
import { fillBox } from "../raster/blend.ts";
import type { Rgb } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";

/** Lines of an ornament, each a box of whole pixels. */
export interface PlacedOrnament {
  readonly lines: readonly Box[];
  readonly colour: Rgb;
}

/** On lower canvases an ornament is clutter. */
const HEIGHT_PX_MIN = 200;
/** A frame stands this far inside the edge, in margins. */
const FRAME_MARGINS = 0.42;

/**
 * Where the look's ornament stands on a design at scale 1, in the file's pixels; null where it has none, or no place that
 * touches nothing.
 */
export function ornamentOf(brief: Brief, design: Design, theme: Theme): PlacedOrnament | null {
  const ornament = placeOrnament(brief, design, theme);
  return ornament && { ...ornament, lines: ornament.lines.map(growBy(brief.pixelScale)) };
}

function placeOrnament(brief: Brief, design: Design, theme: Theme): PlacedOrnament | null {
  const { look, width, height } = brief;
  if (look.ornament === "none" || Math.min(width, height) < HEIGHT_PX_MIN) return null;
  if (design.texts.length === 0) return null;
  const hairline = Math.max(1, Math.round(Math.min(width, height) / 480));
  if (look.ornament === "frame") return frameOf(brief, design, theme, hairline);
  return overHeadline(brief, design, theme, hairline);
}

/** A hairline inside the edge, unless words, logo or a head reach it. */
function frameOf(brief: Brief, design: Design, theme: Theme, line: number): PlacedOrnament | null {
  const gap = Math.round(brief.scale.marginPx * FRAME_MARGINS);
  const { width, height } = brief;
  const across = width - gap * 2;
  const down = height - gap * 2;
  const lines: readonly Box[] = [
    { x: gap, y: gap, width: across, height: line },
    { x: gap, y: height - gap - line, width: across, height: line },
    { x: gap, y: gap, width: line, height: down },
    { x: width - gap - line, y: gap, width: line, height: down },
  ];
  if (design.pictures.some((picture) => isHalfCrossed(picture, lines, brief))) return null;
  const attentions = design.pictures.map((picture) => brief.attentionOf(picture));
  const isClear = lines.every(
    (box) => isFree(box, design, gap * 0.4) && attentions.every((attention) => attention(box) < 1),
  );
  return isClear ? { lines, colour: theme.accent } : null;
}

/** Whether lines cross the edge of a photo: they belong to the surface, or to a photo that fills the canvas. */
function isHalfCrossed(
  { fill, box }: PlacedPicture,
  lines: readonly Box[],
  { width, height }: Brief,
): boolean {
  if (fill !== "cover" || (box.width >= width && box.height >= height)) return false;
  return lines.some((line) => isOverlapping(line, box));
}

/** A rule as wide as the headline, or a short bar, between the headline and what stands over it. */
function overHeadline(brief: Brief, design: Design, theme: Theme, line: number): PlacedOrnament | null {
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
  // Ornaments belong to the panel: on a photo a line would be a scratch.
  const panel = design.textCard?.box;
  const isOnPhoto =
    panel === undefined && design.pictures.some((picture) => isOverlapping(picture.box, inset(box, 0, -gap)));
  if (isOnPhoto || (panel !== undefined && !isInside(inset(box, 0, -gap), panel))) return null;
  return { lines: [box], colour: isRule ? theme.quietInk : theme.button };
}

/** Whether the button or the logo has the headline's middle: then the arrangement is centred. */
const isCentredUnder = ({ button, logo }: Design, headline: Box): boolean =>
  [button?.box, logo].some(
    (box) => box != null && Math.abs(box.x + box.width / 2 - headline.x - headline.width / 2) <= 2,
  );

const isFree = (box: Box, design: Design, air: number): boolean =>
  boxesOf(design).every((other) => !isOverlapping(inset(box, 0, -air), other));

const isInside = (box: Box, outer: Box): boolean =>
  box.x >= outer.x &&
  box.y >= outer.y &&
  box.x + box.width <= outer.x + outer.width &&
  box.y + box.height <= outer.y + outer.height;

export function paintOrnament(canvas: Raster, ornament: PlacedOrnament | null): void {
  for (const line of ornament?.lines ?? []) fillBox(canvas, line, ornament?.colour ?? { r: 0, g: 0, b: 0 });
}
