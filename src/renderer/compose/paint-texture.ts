import { contrast, mixed } from "../colour/srgb.ts";
import type { Theme } from "../colour/theme.ts";
import { inset, isOverlapping } from "../layout/design/boxes.ts";
import { boxesOf } from "../layout/design/design.ts";
import type { Design } from "../layout/index.ts";
import type { SurfaceStyle } from "../look/index.ts";
import { paintMask } from "../raster/blend.ts";
import { boxOf, type Rgb, WHITE } from "../raster/canvas.ts";
import type { Box, Raster } from "../types.ts";
import { ellipse, fillPath, PathBuilder } from "../vector/index.ts";

/** Paints a look's texture on its surface. `strength` 0..1 scales the distance of its tones from the surface. */
export function paintTexture(
  canvas: Raster,
  texture: SurfaceStyle["texture"],
  design: Design,
  theme: Theme,
  strength: number,
): void {
  if (texture === "blobs" && design.graphic === undefined) paintBlobs(canvas, design, theme, strength);
  if (texture === "rays") paintRays(canvas, design, theme, strength);
}

/** Round shapes that reach in from the edges: centre and radius relative to the short edge, measured from a corner. */
const BLOBS = [
  { atRight: true, atBottom: false, x: 0.06, y: 0.02, radius: 0.34, isAccent: false },
  { atRight: false, atBottom: true, x: 0.1, y: -0.04, radius: 0.3, isAccent: true },
  { atRight: false, atBottom: false, x: -0.08, y: 0.18, radius: 0.2, isAccent: false },
] as const;

function paintBlobs(canvas: Raster, design: Design, theme: Theme, strength: number): void {
  const { width, height } = canvas;
  const short = Math.min(width, height);
  for (const { atRight, atBottom, x, y, radius, isAccent } of BLOBS) {
    const tint = apart(theme.surface, isAccent ? theme.accentFill : theme.button, 0.2 * strength);
    const centreX = atRight ? width - x * short : x * short;
    const centreY = atBottom ? height - y * short : y * short;
    const shape = ellipse(centreX, centreY, radius * short, radius * short * 0.94);
    paintMask(canvas, fillPath(shape, boxOf(canvas)), tint);
  }
  paintDots(canvas, design, mixed(theme.surface, theme.accentFill, 0.75));
}

/** A surface with less contrast than this to white is so light that lighter rays would be invisible. */
const LIGHT_CONTRAST_MAX = 1.7;
/** Minimum contrast between a surface and the strongest tone of its texture. */
const TEXTURE_CONTRAST_MIN = 1.25;

/** A tone between the surface and a colour, at least the fraction `share` of the way and far enough to be visible. */
function apart(surface: Rgb, colour: Rgb, share: number): Rgb {
  for (let more = share; more < 1; more += 0.06) {
    const tone = mixed(surface, colour, more);
    if (contrast(tone, surface) >= TEXTURE_CONTRAST_MIN) return tone;
  }
  return mixed(surface, colour, share);
}

const DOT_COLUMNS = 5;
const DOT_ROWS = 3;

/** A block of dots in the first corner without text, logo or picture. */
function paintDots(canvas: Raster, design: Design, colour: Rgb): void {
  const { width, height } = canvas;
  const short = Math.min(width, height);
  const pitch = short * 0.036;
  const radius = short * 0.0085;
  if (radius < 1.5) return;
  const margin = short * 0.05;
  const taken = [...boxesOf(design), ...design.pictures.map(({ box }) => box)];
  const block = { width: pitch * (DOT_COLUMNS - 1), height: pitch * (DOT_ROWS - 1) };
  const corners = [true, false].flatMap((atBottom) =>
    [false, true].map(
      (atRight): Box => ({
        ...block,
        x: atRight ? width - margin - block.width : margin,
        y: atBottom ? height - margin - block.height : margin,
      }),
    ),
  );
  const free = corners.find((corner) =>
    taken.every((box) => !isOverlapping(inset(corner, -margin * 0.6, -margin * 0.6), box)),
  );
  if (free === undefined) return;
  for (let at = 0; at < DOT_COLUMNS * DOT_ROWS; at += 1) {
    const x = free.x + (at % DOT_COLUMNS) * pitch;
    const y = free.y + Math.floor(at / DOT_COLUMNS) * pitch;
    paintMask(canvas, fillPath(ellipse(x, y, radius, radius), boxOf(canvas)), colour);
  }
}

/** Number of rays on each half of the canvas's outline. */
const RAYS_HALF = 12;

/**
 * A sunburst around the product or from the lower left corner, in a lighter tone, or in a tone of the accent on a light
 * surface.
 */
function paintRays(canvas: Raster, design: Design, theme: Theme, strength: number): void {
  const { width, height } = canvas;
  const product = design.pictures.find(({ fill }) => fill === "cut_out")?.box;
  const from =
    product === undefined
      ? { x: 0, y: height }
      : { x: product.x + product.width / 2, y: product.y + product.height / 2 };
  const isLight = contrast(theme.surface, WHITE) < LIGHT_CONTRAST_MAX;
  const tint = apart(
    theme.surface,
    isLight ? theme.accentFill : WHITE,
    (theme.isDark ? 0.1 : isLight ? 0.14 : 0.3) * strength,
  );
  for (let ray = 0; ray < RAYS_HALF * 2; ray += 1) {
    const [first, second] = [
      onOutline(ray / RAYS_HALF, width, height),
      onOutline((ray + 0.5) / RAYS_HALF, width, height),
    ];
    const shape = new PathBuilder()
      .moveTo(from.x, from.y)
      .lineTo(first.x, first.y)
      .lineTo(second.x, second.y)
      .close();
    paintMask(canvas, fillPath(shape.build(), boxOf(canvas)), tint);
  }
}

/** A point on an outline twice as large as the canvas. `share` is 0..2; 2 is once around. */
function onOutline(share: number, width: number, height: number): { readonly x: number; readonly y: number } {
  const [left, top, wide, tall] = [-width / 2, -height / 2, width * 2, height * 2];
  const along = (share / 2) * (wide + tall) * 2;
  if (along < wide) return { x: left + along, y: top };
  if (along < wide + tall) return { x: left + wide, y: top + along - wide };
  if (along < wide * 2 + tall) return { x: left + wide - (along - wide - tall), y: top + tall };
  return { x: left, y: top + tall - (along - wide * 2 - tall) };
}
