import { bestScored } from "#renderer/best-scored.ts";
import type { Look } from "#renderer/look/index.ts";
import type { Box, Copy } from "#renderer/types.ts";
import { inset } from "../design/boxes.ts";
import { type BrandGraphic, type Brief, type Design, headlineScore, isWordless } from "../design/design.ts";
import { columnPanel, fitPanel, type Panel } from "../words/text-panel.ts";
import { row } from "./row.ts";

/** Packs without a picture: a field of colour, the brand's mark on it larger than life, and the words beside it. */

/** Shares of the canvas that a field takes. */
const FIELD_SHARES = {
  beside: [0.46, 0.42, 0.38, 0.34],
  across: [0.6, 0.55, 0.5, 0.45, 0.4, 0.35],
} as const;
/** What a field of the whole canvas would be worth; a headline at its largest is worth 1. */
const FIELD_WORTH = 0.8;
/** A mark's edge against the shorter side of its field, and how far inside the field's near edge it begins. */
const MARK_TIMES = 1.16;
const MARK_INDENT = 0.13;
/** A mark in a frame is whole. */
const FRAMED_MARK_TIMES = 0.74;
/** A mark behind a price. */
const PRICED_MARK_TIMES = 1.5;
/** What an edge of a shape takes of a field where a price may stand. */
const EDGE_SHARES: Partial<Record<Look["layout"]["field"], number>> = { slant: 0.3, round: 0.12 };
/** A price's largest type on a field, as a share of the field's height. */
const FIELD_PRICE_SHARE = 0.31;
/** The mark's edge and middle on a canvas of one colour, in shares of its shorter side and of the safe area. */
const POSTER_TIMES = 1.18;
const POSTER_AT = { wide: { x: 0.84, y: 0.56 }, tall: { x: 0.76, y: 0.42 } } as const;
/** Marks across the shorter side of a pattern. */
const PATTERN_COUNT = 2.6;
/** Without a picture words may be larger: factors of a shape's largest headline. */
const HEADLINE_TIMES: Partial<Record<Brief["shape"], number>> = {
  skyscraper: 1.4,
  story: 1.35,
  portrait: 1.25,
  square: 1.1,
  landscape: 1.2,
  leaderboard: 1.3,
};
const LOGO_TIMES = 1.35;
const LONE_LOGO_TIMES = 6;
/** Between the canvas edges and a field that stands in from them, in margins. */
const FRAME_MARGINS = 0.75;

/** What a field shows: one mark, many, or the price over a quiet mark. */
type Content = "mark" | "pattern" | "price";
type Side = "start" | "end" | "head" | "foot";

/** A brief whose words and logo take the room that a picture would have. */
function enlarged(brief: Brief): Brief {
  const { scale, shape } = brief;
  const times = HEADLINE_TIMES[shape] ?? 1;
  return {
    ...brief,
    scale: {
      ...scale,
      headlinePxMax: scale.headlinePxMax * times,
      logoArea: scale.logoArea * LOGO_TIMES,
    },
  };
}

const squareAt = (x: number, y: number, edge: number): Box => ({
  x: Math.round(x - edge / 2),
  y: Math.round(y - edge / 2),
  width: Math.round(edge),
  height: Math.round(edge),
});

const designOf = (panel: Panel, graphic: BrandGraphic): Design => ({
  surface: "lit",
  pictures: [],
  scrims: [],
  scrimsOver: "pictures",
  graphic,
  ...panel,
});

/** Logo and words in a region; a logo alone is as large as it allows. */
function panelIn(brief: Brief, region: Box, stand: "top" | "middle" | "bottom"): Panel | null {
  if (isWordless(brief.copy)) {
    const logoArea = brief.scale.logoArea * LONE_LOGO_TIMES;
    return fitPanel(brief, {
      region,
      align: "center",
      stand: "middle",
      logoAt: "lead",
      fillMax: 1,
      logoArea,
    });
  }
  if (brief.shape === "leaderboard") return columnPanel(brief, region);
  return fitPanel(brief, { region, align: "start", stand, logoAt: "head", fillMax: 1 });
}

/** A field of a share of the canvas at one side, and the room of the words; it reaches under what a story reserves. */
function partsAt(brief: Brief, side: Side, share: number): { readonly field: Box; readonly region: Box } {
  const { width, height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const gap = scale.marginPx * 0.9;
  const isAcross = side === "head" || side === "foot";
  const isFirst = side === "head" || side === "start";
  const [start, length, end] = isAcross ? [safe.y, safe.height, height] : [safe.x, safe.width, width];
  const edge = Math.round(isFirst ? start + length * share : start + length * (1 - share));
  const field = isAcross
    ? { x: 0, y: isFirst ? 0 : edge, width, height: isFirst ? edge : end - edge }
    : { x: isFirst ? 0 : edge, y: 0, width: isFirst ? edge : end - edge, height };
  const from = isFirst ? edge + gap : isAcross ? content.y : content.x;
  const to = isFirst ? (isAcross ? content.y + content.height : content.x + content.width) : edge - gap;
  const region = isAcross
    ? { ...content, y: from, height: to - from }
    : { ...content, x: from, width: to - from };
  return { field, region };
}

function graphicIn(brief: Brief, field: Box, content: Content, side: Side): BrandGraphic {
  const { x, y, width, height } = field;
  const short = Math.min(width, height);
  if (content === "pattern") return { field, mark: squareAt(0, 0, short / PATTERN_COUNT), isRepeated: true };
  if (content === "price") {
    const mark = squareAt(x + width * 0.7, y + height * 0.6, short * PRICED_MARK_TIMES);
    return { field, mark, isRepeated: false };
  }
  if (isFramed(brief)) {
    return {
      field,
      mark: squareAt(x + width / 2, y + height / 2, short * FRAMED_MARK_TIMES),
      isRepeated: false,
    };
  }
  // The canvas cuts it, not the field's own edge: cut by both it would be unreadable.
  const edge = short * MARK_TIMES;
  const indent = short * (isSlanted(brief) ? MARK_INDENT * 2 : MARK_INDENT) + edge / 2;
  const isFirst = side === "head" || side === "start";
  const along = (start: number, length: number): number =>
    isFirst ? start + length - indent : start + indent;
  const mark =
    side === "head" || side === "foot"
      ? squareAt(x + width * 0.62, along(y, height), edge)
      : squareAt(along(x, width), y + height * 0.56, edge);
  return { field, mark, isRepeated: false };
}

const isSlanted = ({ look }: Brief): boolean => look.layout.field === "slant";

/** The price alone on a field, in the field's ink; null where it is too narrow. */
function priceOn(brief: Brief, field: Box, side: Side): Panel | null {
  const { scale, safe, copy } = brief;
  const isAcross = side === "head" || side === "foot";
  const taken = (EDGE_SHARES[brief.look.layout.field] ?? 0) * (isAcross ? field.height : field.width);
  const top = Math.max(field.y + (side === "foot" ? taken : 0), safe.y);
  const bottom = Math.min(field.y + field.height - (side === "head" ? taken : 0), safe.y + safe.height);
  const shown = {
    x: field.x + (side === "end" ? taken : 0),
    y: top,
    width: field.width - (isAcross ? 0 : taken),
    height: bottom - top,
  };
  const region = inset(shown, scale.marginPx * 0.7, scale.marginPx * 1.3);
  const { price, oldPrice, language } = copy;
  const headlinePxMax = Math.max(scale.headlinePxMin, shown.height * FIELD_PRICE_SHARE);
  const large: Brief = { ...brief, copy: { price, oldPrice, language }, scale: { ...scale, headlinePxMax } };
  const panel = fitPanel(large, { region, align: "center", stand: "middle", logoAt: "none", fillMax: 1 });
  return panel === null
    ? null
    : { ...panel, texts: panel.texts.map((text) => ({ ...text, isOnField: true })) };
}

/** A field of colour at one side of the canvas, the words on the rest; null where they do not fit. */
export function withField(brief: Brief, side: Side, content: Content): Design | null {
  const isAcross = side === "head" || side === "foot";
  const large = enlarged(brief);
  const copy: Copy =
    content === "price" ? { ...brief.copy, price: undefined, oldPrice: undefined } : brief.copy;
  const fitting = FIELD_SHARES[isAcross ? "across" : "beside"].flatMap((share) => {
    const { field: whole, region } = partsAt(large, side, share);
    const field = isFramed(brief) ? inset(whole, ...framePx(large)) : whole;
    const price = content === "price" ? priceOn(large, field, side) : null;
    const panel = panelIn({ ...large, copy }, region, side === "head" ? "bottom" : "middle");
    return panel === null || (content === "price" && price === null) ? [] : [{ panel, price, field, share }];
  });
  const best = bestScored(
    fitting,
    ({ panel, price, share }) => headlineScore(panel) + FIELD_WORTH * share + (price?.headlineSizeShare ?? 0),
  );
  if (best === null) return null;
  const { panel, price, field } = best;
  return designOf(
    { ...panel, texts: [...panel.texts, ...(price?.texts ?? [])] },
    graphicIn(large, field, content, side),
  );
}

const isFramed = ({ look }: Brief): boolean => look.layout.field === "card" || look.layout.field === "arch";
const framePx = ({ scale }: Brief): readonly [number, number] => {
  const gap = Math.round(scale.marginPx * FRAME_MARGINS);
  return [gap, gap];
};

/** The mark past the end of a canvas of one colour; the logo at the head, the words at the foot or the start. */
export function poster(brief: Brief): Design | null {
  const large = enlarged(brief);
  const { width, height, scale, safe } = large;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const isWide = safe.width > safe.height * 1.1;
  const region = isWide ? { ...content, width: content.width * 0.64 } : content;
  const panel = panelIn(large, region, isWide ? "middle" : "bottom");
  if (panel === null) return null;
  const at = isWide ? POSTER_AT.wide : POSTER_AT.tall;
  const mark = squareAt(width * at.x, safe.y + safe.height * at.y, Math.min(width, height) * POSTER_TIMES);
  return designOf(panel, { field: null, mark, isRepeated: false });
}

/** Between a button and the edge of the field under it, and the width of a field without one, in canvas heights. */
const ROW_FIELD_GAP = 0.11;
const ROW_FIELD_WIDTH = 1.3;

/** A row of logo, words and button, its end on a field of colour; or a field of its own before it. */
export function rowWithField(brief: Brief, side: "start" | "end"): Design | null {
  const { width, height, safe, copy } = brief;
  const isUnderButton = side === "end" && copy.cta !== undefined;
  const reserved = isUnderButton ? 0 : Math.round(height * ROW_FIELD_WIDTH);
  const x = side === "start" ? safe.x + reserved : safe.x;
  const design = row({ ...brief, safe: { ...safe, x, width: safe.width - reserved } });
  if (design === null) return null;
  const edge =
    design.button === null || !isUnderButton
      ? width - reserved
      : Math.round(design.button.box.x - height * ROW_FIELD_GAP);
  if (design.texts.some(({ ink }) => ink.x + ink.width >= edge)) return design;
  const field = {
    x: side === "start" ? 0 : edge,
    y: 0,
    width: side === "start" ? reserved : width - edge,
    height,
  };
  return { ...design, graphic: graphicIn(brief, field, "mark", side) };
}

/** A row over the mark, which is far larger than the canvas is high. */
export function rowOnMark(brief: Brief): Design | null {
  const design = row(brief);
  const mark = squareAt(brief.width * 0.64, brief.height * 0.5, brief.height * 2.6);
  return design === null ? null : { ...design, graphic: { field: null, mark, isRepeated: false } };
}
