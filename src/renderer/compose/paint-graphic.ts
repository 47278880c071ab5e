import { contrast, mixed } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import { inset, isOverlapping } from "../layout/design/boxes.ts";
import type { BrandGraphic } from "../layout/design/design.ts";
import type { Design } from "../layout/index.ts";
import type { Look } from "../look/index.ts";
import { paintMask } from "../raster/blend.ts";
import { boxOf, type Rgb, WHITE } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { fillPath, type Mask, type Path, PathBuilder, roundedRect } from "../vector/index.ts";
import { brandMark } from "./brand-mark.ts";
import { CONTRAST_AIM, wordsOf } from "./paint-surface.ts";
import type { PreparedPack } from "./prepared-pack.ts";

/** Opacities of a mark under words, strongest first: the first at which they are legible is used. Prose needs a quiet mark. */
const MARK_SHARES = [0.06, 0.04, 0];

/** Paints what a pack without a picture shows in its place: a field of colour and the brand's mark. */
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

/** A clear colour on a field of its own; under words a tone near what it lies on. */
function markColour(graphic: BrandGraphic, behind: Rgb, design: Design, theme: Theme): Rgb {
  const words = wordsOver(graphic.field ?? graphic.mark, design, theme);
  // Behind a button it would be noise.
  if (design.button?.isOnField === true) return behind;
  if (graphic.field !== null && words.length === 0) return theme.fieldMark;
  const towards = graphic.field === null ? [theme.field, WHITE] : [theme.surface, theme.fieldMark, WHITE];
  const tones = MARK_SHARES.flatMap((share) => towards.map((one) => mixed(behind, one, share)));
  return tones.find((colour) => isLegible(colour, words)) ?? behind;
}

/** How far each mark of a pattern is from the first: rows over the field, every second one shifted by half. */
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

/** The part of a mask that another covers. */
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

/** How far a slanted or round edge reaches into a field, as a share of its length. */
const EDGE_DEPTH = 0.16;
/** Corners of a framed field, as a share of its shorter side. */
const CORNER_SHARE = 0.03;

/** A field in the look's shape: with a straight, slanted or round edge to the words, or as a frame of its own. */
function fieldMask(box: Box, { layout, field: { edge } }: Look, canvas: Raster): Mask {
  const radius = Math.min(box.width, box.height) * CORNER_SHARE * layout.cornerTimes;
  const framed = edge === "arch" && box.height > box.width ? arch(box) : roundedRect(box, radius);
  return fillPath(edge === "arch" || edge === "card" ? framed : edged(box, edge, canvas), boxOf(canvas));
}

function edged(field: Box, edge: Look["field"]["edge"], canvas: Raster): Path {
  const isAcross = field.width >= canvas.width;
  const isFirst = isAcross ? field.y <= 0 : field.x <= 0;
  // From the words' side (0) outwards (1), and along it.
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

/** A box with a round head. */
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
