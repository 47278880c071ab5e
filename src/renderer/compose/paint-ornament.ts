import { bestScored } from "../best-scored.ts";
import { worstContrast } from "../colour/contrast.ts";
import type { Theme } from "../colour/theme.ts";
import { inset, isOverlapping } from "../layout/design/boxes.ts";
import { boxesOf } from "../layout/design/design.ts";
import type { Brief, Design } from "../layout/index.ts";
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
/** A frame is drawn this far inside the edge, in margins. */
const FRAME_MARGINS = 0.42;
/** Of a frame's length; one with less of it is no frame any more. */
const FRAME_SHARE_MIN = 0.5;
/** Least contrast of an ornament with what is behind it. */
const SEEN_CONTRAST_MIN = 1.25;

/** Where the look's ornament is drawn on a canvas; null where it has none, or no place that touches nothing. */
export function ornamentOf(
  canvas: Raster,
  brief: Brief,
  design: Design,
  theme: Theme,
): PlacedOrnament | null {
  const { look, width, height } = brief;
  if (look.ornament === "none" || Math.min(width, height) < HEIGHT_PX_MIN) return null;
  if (design.texts.length === 0) return null;
  const hairline = Math.max(1, Math.round(Math.min(width, height) / 480));
  if (look.ornament === "frame") {
    return seen(canvas, frameLines(brief, design, hairline), [theme.accent, theme.ink]);
  }
  const over = overHeadline(brief, design, hairline);
  if (look.ornament === "rule") {
    // Without a place over the headline, rules at the head and the foot of the page.
    const rules = over === null ? frameLines(brief, design, hairline, ["head", "foot"]) : [over];
    return seen(canvas, rules, [theme.quietInk, theme.ink]);
  }
  const bar = over ?? atEdge(brief, design);
  return seen(
    canvas,
    bar === null ? [] : [bar],
    over === null ? [theme.accentFill, theme.ink] : [theme.button, theme.ink],
  );
}

/** Lines in the first colour that is seen on all that is behind them; null without lines. */
function seen(canvas: Raster, lines: readonly Box[], colours: readonly Rgb[]): PlacedOrnament | null {
  if (lines.length === 0) return null;
  const worst = (colour: Rgb) => Math.min(...lines.map((line) => worstContrast(canvas, line, colour)));
  const colour = colours.find((one) => worst(one) >= SEEN_CONTRAST_MIN) ?? bestScored(colours, worst);
  return colour === null ? null : { lines, colour };
}

/** Hairlines inside the edge, which end on both sides of what reaches them: words, logo, pictures and heads. */
function frameLines(
  brief: Brief,
  design: Design,
  line: number,
  sides: readonly ("head" | "foot" | "sides")[] = ["head", "foot", "sides"],
): readonly Box[] {
  const gap = Math.round(brief.scale.marginPx * FRAME_MARGINS);
  const { width, height } = brief;
  const across = width - gap * 2;
  const down = height - gap * 2;
  const sided = {
    head: [{ x: gap, y: gap, width: across, height: line }],
    foot: [{ x: gap, y: height - gap - line, width: across, height: line }],
    sides: [
      { x: gap, y: gap, width: line, height: down },
      { x: width - gap - line, y: gap, width: line, height: down },
    ],
  };
  const whole: readonly Box[] = sides.flatMap((side) => sided[side]);
  // A frame on a photo that fills the canvas lies on it; others keep to the surface.
  const pictures = design.pictures.filter(({ box }) => box.width < width || box.height < height);
  const obstacles = [...boxesOf(design), ...pictures.map(({ box }) => box)];
  const attentions = design.pictures.map((picture) => brief.attentionOf(picture));
  const lines = whole
    .flatMap((one) => partsClearOf(one, obstacles, gap * 0.6))
    .filter((one) => attentions.every((attention) => attention(one) < 1));
  const lengthOf = (all: readonly Box[]) =>
    all.reduce((sum, one) => sum + Math.max(one.width, one.height), 0);
  return lengthOf(lines) >= lengthOf(whole) * FRAME_SHARE_MIN ? lines : [];
}

/** What is left of a line between obstacles that keep some air around them. */
function partsClearOf(line: Box, obstacles: readonly Box[], air: number): readonly Box[] {
  const isAcross = line.width > line.height;
  const parts = obstacles.reduce<readonly Box[]>(
    (lines, obstacle) => {
      const box = inset(obstacle, -air, -air);
      return lines.flatMap((one) => {
        if (!isOverlapping(one, box)) return [one];
        const [from, to] = isAcross ? [one.x, one.x + one.width] : [one.y, one.y + one.height];
        const [start, end] = isAcross ? [box.x, box.x + box.width] : [box.y, box.y + box.height];
        return [[from, Math.floor(start)] as const, [Math.ceil(end), to] as const].flatMap(([first, last]) =>
          last <= first
            ? []
            : [
                isAcross
                  ? { ...one, x: first, width: last - first }
                  : { ...one, y: first, height: last - first },
              ],
        );
      });
    },
    [line],
  );
  return parts.filter(({ width, height }) => Math.max(width, height) > air);
}

/** A rule as wide as the headline, or a short bar, between the headline and what is over it. */
function overHeadline(brief: Brief, design: Design, line: number): Box | null {
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
  const isOnPhoto = panel === undefined && isOnPicture(inset(box, 0, -gap), design);
  if (isOnPhoto || (panel !== undefined && !isInside(inset(box, 0, -gap), panel))) return null;
  return box;
}

/** A bar at the edge of the canvas beside the headline. */
function atEdge(brief: Brief, design: Design): Box | null {
  const headline = design.texts.find(({ role }) => role === "headline");
  // Beside a field of colour it would be a second one.
  if (headline === undefined || design.graphic !== undefined) return null;
  const { ink } = headline;
  const width = Math.round(brief.scale.marginPx * 0.4);
  const isAtEnd = ink.x > brief.width - ink.x - ink.width;
  const box = {
    x: isAtEnd ? brief.width - width : 0,
    y: Math.round(ink.y),
    width,
    height: Math.round(ink.height),
  };
  return isOnPicture(box, design) || !isFree(inset(box, -2, 0), design, 0) ? null : box;
}

const isOnPicture = (box: Box, { pictures, graphic }: Design): boolean =>
  [...pictures.map((picture) => picture.box), ...(graphic?.field == null ? [] : [graphic.field])].some(
    (other) => isOverlapping(other, box),
  );

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
