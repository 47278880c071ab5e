import { contrast, mixed } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import { inset, isOverlapping } from "../layout/design/boxes.ts";
import type { BrandGraphic } from "../layout/design/design.ts";
import type { Design } from "../layout/index.ts";
import type { Look } from "../look/index.ts";
import { paintMask } from "../raster/blend.ts";
import { boxOf, type Rgb, WHITE } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import {
  ellipse,
  emptyMask,
  fillPath,
  type Mask,
  type Path,
  PathBuilder,
  roundedRect,
} from "../vector/index.ts";
import { outlineOf } from "./draw-badge.ts";
import { CONTRAST_AIM, wordsOf } from "./paint-surface.ts";
import type { Logo, PreparedPack } from "./prepared-pack.ts";

/** Opacities of a mark under text, strongest first: the first that leaves the text legible is used. */
const MARK_SHARES = [0.06, 0.04, 0];

/** Paints the graphic that replaces a missing picture: a coloured field and the brand's mark. */
export function paintGraphic(canvas: Raster, design: Design, pack: PreparedPack): void {
  const { graphic } = design;
  if (graphic === undefined) return;
  const { theme, look } = pack;
  const field = graphic.field === null ? null : fieldMask(graphic.field, look, canvas);
  const behind = field === null ? theme.surface : theme.field;
  if (field !== null) paintMask(canvas, field, behind);
  const colour = markColour(graphic, behind, design, theme);
  const { mark: square, isRepeated } = graphic;
  const region = isRepeated ? square : (field ?? boxOf(canvas));
  const mark = brandMark(pack.logo, look.field.shape, square, region);
  for (const { x, y } of isRepeated ? placesIn(graphic) : [{ x: 0, y: 0 }]) {
    const placed = { ...mark, x: mark.x + x, y: mark.y + y };
    paintMask(canvas, field === null ? placed : within(placed, field), colour);
  }
}

const isLegible = (colour: Rgb, words: ReturnType<typeof wordsOf>): boolean =>
  words.every(({ ink }) => contrast(ink, colour) >= CONTRAST_AIM);

const wordsOver = (box: Box, design: Design, theme: Theme) =>
  wordsOf(design, theme).filter((word) => isOverlapping(inset(word.box, -2, -2), box));

/** Colour of a mark: clearly visible on a field without text, or under text a tone near the background's. */
function markColour(graphic: BrandGraphic, behind: Rgb, design: Design, theme: Theme): Rgb {
  const words = wordsOver(graphic.field ?? graphic.mark, design, theme);
  // No mark behind a button: it would be noise.
  if (design.button?.isOnField === true) return behind;
  if (graphic.field !== null && words.length === 0) return theme.fieldMark;
  const towards = graphic.field === null ? [theme.field, WHITE] : [theme.surface, theme.fieldMark, WHITE];
  const tones = MARK_SHARES.flatMap((share) => towards.map((one) => mixed(behind, one, share)));
  return tones.find((colour) => isLegible(colour, words)) ?? behind;
}

/**
 * Offsets of each mark of a pattern from the first: rows over the field, every second row shifted by half the distance
 * between marks.
 */
function placesIn({ field, mark }: BrandGraphic): readonly { readonly x: number; readonly y: number }[] {
  const pitch = mark.width * 1.28;
  const count = (length: number) => Math.ceil(length / pitch) + 2;
  return Array.from({ length: count(field?.height ?? 0) }, (_, row) =>
    Array.from({ length: count(field?.width ?? 0) }, (_, column) => ({
      x: Math.round((column - (row % 2) * 0.5) * pitch),
      y: Math.round(row * pitch),
    })),
  ).flat();
}

/** The part of a mask that another mask covers. */
function within(mask: Mask, field: Mask): Mask {
  const coverage = new Uint8Array(mask.coverage.length);
  for (let row = 0; row < mask.height; row += 1) {
    for (let column = 0; column < mask.width; column += 1) {
      const x = mask.x + column - field.x;
      const y = mask.y + row - field.y;
      const isInside = x >= 0 && y >= 0 && x < field.width && y < field.height;
      const at = row * mask.width + column;
      if (isInside)
        coverage[at] = ((mask.coverage[at] ?? 0) * (field.coverage[y * field.width + x] ?? 0)) / 255;
    }
  }
  return { ...mask, coverage };
}

/** Depth of a field's round edge, as a fraction of the field. A slanted edge is twice as deep. */
const EDGE_DEPTH = 0.16;
/** Corner radius of a framed field, as a fraction of its shorter side. */
const CORNER_SHARE = 0.03;

/** A field in the look's shape: with a straight, slanted or round edge towards the text, or as a separate frame. */
function fieldMask(box: Box, { layout, field: { edge } }: Look, canvas: Raster): Mask {
  const radius = Math.min(box.width, box.height) * CORNER_SHARE * layout.cornerTimes;
  const framed = edge === "arch" && box.height > box.width ? arch(box) : roundedRect(box, radius);
  return fillPath(edge === "arch" || edge === "card" ? framed : edged(box, edge, canvas), boxOf(canvas));
}

function edged(field: Box, edge: Look["field"]["edge"], canvas: Raster): Path {
  const isAcross = field.width >= canvas.width;
  const isFirst = isAcross ? field.y <= 0 : field.x <= 0;
  // Converts to pixels: `out` runs from the text's side (0) outwards (1), `along` runs along that side.
  const to = (out: number, along: number): readonly [number, number] => {
    const o = isFirst ? 1 - out : out;
    const [x, y] = isAcross ? [along, o] : [o, along];
    return [field.x + x * field.width, field.y + y * field.height];
  };
  const path = new PathBuilder().moveTo(...to(1, 1)).lineTo(...to(1, 0));
  if (edge === "round")
    path.lineTo(...to(EDGE_DEPTH, 0)).quadTo(...to(-EDGE_DEPTH, 0.5), ...to(EDGE_DEPTH, 1));
  else path.lineTo(...to(edge === "slant" ? EDGE_DEPTH * 2 : 0, 0)).lineTo(...to(0, 1));
  return path.close().build();
}

/** A box with a round top. */
function arch({ x, y, width, height }: Box): Path {
  const high = Math.min(height, width / 2);
  const right = x + width;
  return new PathBuilder()
    .moveTo(x, y + height)
    .lineTo(x, y + high)
    .cubicTo(x, y + high * 0.4477, x + width * 0.2239, y, x + width / 2, y)
    .cubicTo(right - width * 0.2239, y, right, y + high * 0.4477, right, y + high)
    .lineTo(right, y + height)
    .close()
    .build();
}

/**
 * The brand's mark in a square, as coverage of the canvas: the logo's symbol, or the look's simple shape for a
 * wordmark. Only the part in `region` is drawn.
 */
function brandMark(logo: Logo | null, shape: Look["field"]["shape"], square: Box, region: Box): Mask {
  if (logo === null || logo.symbol === null) return fillPath(SHAPES[shape](square), region);
  const { width, height } = logo.symbol;
  const scale = square.width / Math.max(width, height);
  const box: Box = {
    x: square.x + (square.width - width * scale) / 2,
    y: square.y + (square.height - height * scale) / 2,
    width: width * scale,
    height: height * scale,
  };
  return enlargedSymbol(logo, logo.symbol, box, region);
}

/**
 * Coverage of a symbol drawn in `box`. Enlarged alpha is steepened by the same factor, so that its edges stay sharp.
 */
function enlargedSymbol({ pyramid }: Logo, symbol: Box, box: Box, region: Box): Mask {
  const x = Math.floor(Math.max(box.x, region.x));
  const y = Math.floor(Math.max(box.y, region.y));
  const width = Math.ceil(Math.min(box.x + box.width, region.x + region.width)) - x;
  const height = Math.ceil(Math.min(box.y + box.height, region.y + region.height)) - y;
  if (width <= 0 || height <= 0) return emptyMask(x, y);
  const scale = symbol.width / box.width;
  const part: Box = {
    x: symbol.x + (x - box.x) * scale,
    y: symbol.y + (y - box.y) * scale,
    width: width * scale,
    height: height * scale,
  };
  const { pixels } = pyramid.draw(part, width, height);
  const steepness = Math.max(1, 1 / scale);
  const coverage = new Uint8Array(width * height);
  for (let at = 0; at < coverage.length; at += 1) {
    const alpha = ((pixels[at * 4 + 3] ?? 0) - 127.5) * steepness + 127.5;
    coverage[at] = Math.max(0, Math.min(255, Math.round(alpha)));
  }
  return { x, y, width, height, coverage };
}

/** The simple shapes of the looks, fitted to a square. They replace the logo's symbol if the logo has none. */
const SHAPES: Readonly<Record<Look["field"]["shape"], (square: Box) => Path>> = {
  discs: ({ x, y, width: edge }) =>
    joined([
      ellipse(x + edge * 0.36, y + edge * 0.62, edge * 0.36, edge * 0.36),
      ellipse(x + edge * 0.8, y + edge * 0.2, edge * 0.2, edge * 0.2),
    ]),
  bars: ({ x, y, width: edge }) =>
    joined(
      [0, 0.36, 0.72].map((at) =>
        slanted(x + edge * (at - 0.28), y - edge * 0.5, edge * 0.2, edge * 2, edge * 0.68),
      ),
    ),
  // Four leaves: each fills its cell with a quarter of a disc.
  quarters: ({ x, y, width: edge }) =>
    joined([
      quarter(x, y, edge / 2, 1, 1),
      quarter(x + edge, y, edge / 2, -1, 1),
      quarter(x, y + edge, edge / 2, 1, -1),
      quarter(x + edge / 2, y + edge / 2, edge / 2, 1, 1),
    ]),
  rings: ({ x, y, width: edge }) =>
    joined(
      [0.74, 0.57, 0.4, 0.23].flatMap((radius) =>
        ring(x + edge / 2, y + edge / 2, edge * radius, edge * 0.012),
      ),
    ),
  burst: (square) => outlineOf(square, "burst"),
};

const joined = (paths: readonly Path[]): Path =>
  paths.reduce((builder, path) => builder.append(path), new PathBuilder()).build();

const slanted = (x: number, y: number, width: number, height: number, lean: number): Path => {
  const path = new PathBuilder().moveTo(x + lean, y).lineTo(x + lean + width, y);
  return path
    .lineTo(x + width, y + height)
    .lineTo(x, y + height)
    .close()
    .build();
};

/** A quarter of a disc around a corner; `across` and `down` are the directions in which it extends. */
function quarter(x: number, y: number, radius: number, across: 1 | -1, down: 1 | -1): Path {
  const [dx, dy] = [radius * across, radius * down];
  return new PathBuilder()
    .moveTo(x, y)
    .lineTo(x + dx, y)
    .cubicTo(x + dx, y + dy * 0.5523, x + dx * 0.5523, y + dy, x, y + dy)
    .close()
    .build();
}

/** A thin ring: an outline and a reversed inner outline, so that the winding rule leaves the inside empty. */
function ring(x: number, y: number, radius: number, line: number): readonly Path[] {
  const inner = ellipse(-x, y, radius - line, radius - line);
  return [ellipse(x, y, radius, radius), new PathBuilder().append(inner, (at) => -at).build()];
}
