import { bestScored } from "#renderer/best-scored.ts";
import type { Look } from "#renderer/look/index.ts";
import type { Box, Copy } from "#renderer/types.ts";
import { fromEdges } from "../../box-geometry.ts";
import { inset, symmetric } from "../design/boxes.ts";
import {
  type BrandGraphic,
  type Brief,
  type Design,
  headlineScore,
  isBeside,
  isWordless,
  NO_SCRIMS,
  type Side,
} from "../design/design.ts";
import { isLongPrice } from "../words/price-block.ts";
import { withHeadlineAtMost } from "../words/short-headline-enlargement.ts";
import { columnPanel, fitPanel, type Panel } from "../words/text-panel.ts";
import { STORY_AIR } from "./product-under-words.ts";
import { ROW_FIELD_GAP, row } from "./row.ts";

/** Designs without a picture: a coloured field with the brand's mark oversized on it, and the text beside it. */

/** Sizes of a field to try, as fractions of the safe area, the largest first. */
const BESIDE_SHARES = [0.46, 0.42, 0.38, 0.34];
const ACROSS_SHARES = [0.6, 0.52, 0.46, 0.4, 0.35];
/** A story's fields are smaller, because they also extend under the app's controls. */
const STORY_SHARES = [0.42, 0.36, 0.3, 0.24];
/** Weight of a field's size in the score, by the field's content. The largest headline scores 1. */
const FIELD_WORTH = { mark: 0.25, pattern: 0.25, price: 0.5 } as const;
/** A price on a field is rejected if it limits the headline to less than this fraction of its usual maximum size. */
const HEADLINE_SHARE_MIN = 0.7;
/** Edge length of a mark, relative to its field's shorter side: `whole` without a price, `priced` behind a price. */
const MARK_TIMES = { whole: 0.8, priced: 1.5 };
/**
 * On a field at least `aspectMin` times as tall as wide, the mark's edge is `share` of the height, so the field clearly
 * cuts the mark at both sides. A slight cut would look like a mistake.
 */
const CUT_MARK = { aspectMin: 1.8, share: 0.88 };
/** Number of marks across a pattern's shorter side. */
const PATTERN_COUNT = 2.6;
/** Maximum type size of a price, relative to its field's height and width. */
const FIELD_PRICE_SHARE = { height: 0.36, width: 0.42 };
/** Margin beside a price on a field, as a fraction of the field's width. */
const PRICE_MARGIN = 0.07;
/** Fraction of a field that its slanted or round edge takes up. */
const EDGE_SHARES: Partial<Record<Look["field"]["edge"], number>> = { slant: 0.3, round: 0.12 };
/**
 * The mark of a `poster`: its edge length, relative to the canvas's shorter side, and its centre. `x` is a fraction of
 * the canvas width, `y` of the safe area's height.
 */
const POSTER_TIMES = 1.18;
const POSTER_AT = { wide: { x: 0.84, y: 0.56 }, tall: { x: 0.76, y: 0.42 } };
/** Factors of the largest headline size in a design without a picture: on upright canvases, and on others. */
const HEADLINE_TIMES = { upright: 1.6, other: 1.4 };
/** Factor of the subheadline's size under an enlarged headline. */
const PROSE_TIMES = 1.1;
const LOGO_TIMES = 1.2;
const LONE_LOGO_TIMES = 6;
/** Gap between the canvas edges and a framed field, as a multiple of the margin. */
const FRAME_MARGINS = 0.75;

/** The content of a field: one mark, a pattern of marks, or the price over a faint mark. */
type Content = "mark" | "pattern" | "price";

const squareAt = (x: number, y: number, edge: number): Box => ({
  x: Math.round(x - edge / 2),
  y: Math.round(y - edge / 2),
  width: Math.round(edge),
  height: Math.round(edge),
});

/** The brief with larger text and logo, to fill the space of the missing picture. */
function enlarged(brief: Brief): Brief {
  const { scale, look } = brief;
  // Text centred on the safe area must also be centred on the canvas.
  const safe = look.layout.align === "center" ? symmetric(brief.safe, brief.width) : brief.safe;
  const times = safe.height > safe.width * 1.1 ? HEADLINE_TIMES.upright : HEADLINE_TIMES.other;
  const larger = {
    headlinePxMax: scale.headlinePxMax * times,
    subheadlineShare: (scale.subheadlineShare * PROSE_TIMES) / times,
    logoArea: scale.logoArea * LOGO_TIMES,
  };
  return { ...brief, safe, scale: { ...scale, ...larger } };
}

const designOf = (panel: Panel, graphic: BrandGraphic): Design => ({
  surface: "lit",
  pictures: [],
  ...NO_SCRIMS,
  graphic,
  ...panel,
});

/** Logo and text in a region. A logo without text has `LONE_LOGO_TIMES` its usual area. */
function panelIn(brief: Brief, region: Box, stand: "middle" | "bottom"): Panel | null {
  if (isWordless(brief.copy)) {
    const logoArea = brief.scale.logoArea * LONE_LOGO_TIMES;
    const alone = { align: "center", stand: "middle", logoAt: "lead", fillMax: 1 } as const;
    return fitPanel(brief, { region, ...alone, logoArea });
  }
  if (brief.shape === "leaderboard") return columnPanel(brief, region);
  return fitPanel(brief, { region, align: "start", stand, logoAt: "head", fillMax: 1 });
}

/**
 * A field at one side of the canvas, sized by `share`, and the text's region. On a story the field extends under the
 * reserved area.
 */
function partsAt({ width, height, scale, safe, shape }: Brief, side: Side, share: number) {
  const gap = scale.marginPx * 0.9;
  const at = side === "start" || side === "head" ? share : 1 - share;
  const edge = Math.round(isBeside(side) ? safe.x + safe.width * at : safe.y + safe.height * at);
  const air = scale.marginPx * (shape === "story" ? STORY_AIR : 1);
  const { x, y, width: wide, height: high } = inset(safe, scale.marginPx, air);
  const near = (one: Side, within: number, without: number) => (side === one ? within : without);
  return {
    field: fromEdges(
      near("end", edge, 0),
      near("foot", edge, 0),
      near("start", edge, width),
      near("head", edge, height),
    ),
    region: fromEdges(
      near("start", edge + gap, x),
      near("head", edge + gap, y),
      near("end", edge - gap, x + wide),
      near("foot", edge - gap, y + high),
    ),
  };
}

function graphicIn({ look }: Brief, field: Box, content: Content, clear = field): BrandGraphic {
  const { x, y, width, height } = content === "pattern" ? field : clear;
  const short = Math.min(width, height);
  const isRepeated = content === "pattern";
  const marked = (times: number, centreX: number, centreY: number): BrandGraphic => ({
    field,
    mark: squareAt(centreX, centreY, short * times),
    isRepeated,
  });
  if (isRepeated) return marked(1 / PATTERN_COUNT, x + short * 0.08, y + short * 0.06);
  const isCut = height > width * CUT_MARK.aspectMin && !isFramed(look);
  const times = isCut ? (height * CUT_MARK.share) / short : MARK_TIMES.whole;
  return marked(content === "price" ? MARK_TIMES.priced : times, x + width / 2, y + height / 2);
}

const isFramed = ({ field }: Look): boolean => field.edge === "card" || field.edge === "arch";

/** The part of a field without its slanted or round edge. */
function clearPart({ look }: Brief, { x, y, width, height }: Box, side: Side): Box {
  const taken = (EDGE_SHARES[look.field.edge] ?? 0) * (isBeside(side) ? width : height);
  const near = (one: Side) => (side === one ? taken : 0);
  return fromEdges(x + near("end"), y + near("foot"), x + width - near("start"), y + height - near("head"));
}

/** The price alone on a field, in the field's ink; null if it does not fit. */
function priceOn(brief: Brief, field: Box, side: Side): Panel | null {
  const { scale, safe } = brief;
  const { x, y, width, height } = clearPart(brief, field, side);
  const end = Math.min(y + height, safe.y + safe.height);
  const shown = fromEdges(x, Math.max(y, safe.y), x + width, end);
  const region = inset(
    shown,
    Math.max(scale.marginPx * 0.7, shown.width * PRICE_MARGIN),
    scale.marginPx * 0.8,
  );
  const { price, oldPrice, badge, language } = brief.copy;
  const headlinePxMax = Math.max(
    scale.headlinePxMin,
    Math.min(shown.height * FIELD_PRICE_SHARE.height, shown.width * FIELD_PRICE_SHARE.width),
  );
  const large: Brief = {
    ...brief,
    copy: { price, oldPrice, badge, language },
    scale: { ...scale, headlinePxMax },
  };
  const panel = fitPanel(large, { region, align: "start", stand: "middle", logoAt: "none", fillMax: 1 });
  return panel && { ...panel, texts: panel.texts.map((text) => ({ ...text, isOnField: true })) };
}

/** Limits the headline to the size of the price on the coloured field, unless that price is long. */
function besidePriceOf(brief: Brief, { texts }: Panel): Brief {
  const { headline, price } = brief.copy;
  const sizePx = texts.find(({ role }) => role === "price")?.set.fontSizePx;
  if (sizePx === undefined || isLongPrice(price)) return brief;
  return { ...brief, scale: withHeadlineAtMost(brief.scale, headline, sizePx) };
}

/** A coloured field at one side of the canvas, the text on the rest; null if the text does not fit. */
export function withField(brief: Brief, side: Side, content: Content): Design | null {
  const large = enlarged(brief);
  const copy: Copy =
    content === "price"
      ? { ...brief.copy, price: undefined, oldPrice: undefined, badge: undefined }
      : brief.copy;
  const framePx = isFramed(brief.look) ? Math.round(large.scale.marginPx * FRAME_MARGINS) : 0;
  const acrossShares = brief.shape === "story" && content !== "price" ? STORY_SHARES : ACROSS_SHARES;
  const fitting = (isBeside(side) ? BESIDE_SHARES : acrossShares).flatMap((fieldShare) => {
    const { field: whole, region } = partsAt(large, side, fieldShare);
    const field = inset(whole, framePx, framePx);
    const price = content === "price" ? priceOn(large, field, side) : null;
    if (content === "price" && price === null) return [];
    const words = price === null ? large : besidePriceOf(large, price);
    const share = words.scale.headlinePxMax / large.scale.headlinePxMax;
    if (share < HEADLINE_SHARE_MIN) return [];
    const panel = panelIn({ ...words, copy }, region, side === "head" ? "bottom" : "middle");
    const worth = FIELD_WORTH[content] * fieldShare + (price?.headlineSizeShare ?? 0);
    return panel === null ? [] : [{ panel, price, field, worth: worth + headlineScore(panel) * share }];
  });
  const best = bestScored(fitting, ({ worth }) => worth);
  if (best === null) return null;
  const texts = [...best.panel.texts, ...(best.price?.texts ?? [])];
  return designOf(
    { ...best.panel, texts, badge: best.panel.badge ?? best.price?.badge },
    graphicIn(large, best.field, content, clearPart(large, best.field, side)),
  );
}

/**
 * A canvas of one colour with a large mark that extends past the end of the canvas. The logo is at the top, the text at
 * the bottom or start.
 */
export function poster(brief: Brief): Design | null {
  const large = enlarged(brief);
  const { width, height, scale, safe } = large;
  const content = inset(safe, scale.marginPx, scale.marginPx);
  const isWide = safe.width > safe.height * 1.1;
  const column = { ...content, width: content.width * 0.64 };
  const panel =
    (isWide ? panelIn(large, column, "middle") : null) ??
    panelIn(large, content, isWide ? "middle" : "bottom");
  const { x, y } = isWide ? POSTER_AT.wide : POSTER_AT.tall;
  const mark = squareAt(width * x, safe.y + safe.height * y, Math.min(width, height) * POSTER_TIMES);
  return panel && designOf(panel, { field: null, mark, isRepeated: false });
}

/** Width of the field at the end of a row without a button, as a multiple of the canvas height. */
const ROW_FIELD_WIDTH = 1.3;

/** The brief with enlarged text. With a price it is unchanged: a larger headline would leave no room for the badge. */
const enlargedRow = (brief: Brief): Brief => (brief.copy.price === undefined ? enlarged(brief) : brief);

export const plainRow = (brief: Brief): Design | null => row(enlargedRow(brief));

/** A row of logo, text and button, with a coloured field at its end. */
export function rowWithField(brief: Brief): Design | null {
  const { width, height, safe, copy } = brief;
  const isUnderButton = copy.cta !== undefined;
  const reserved = isUnderButton ? 0 : Math.round(height * ROW_FIELD_WIDTH);
  const design = plainRow({ ...brief, safe: { ...safe, width: safe.width - reserved } });
  if (design === null) return null;
  const { button, texts } = design;
  const start =
    isUnderButton && button !== null ? Math.round(button.box.x - height * ROW_FIELD_GAP) : width - reserved;
  if (texts.some(({ ink }) => ink.x + ink.width >= start)) return design;
  const graphic = graphicIn(brief, fromEdges(start, 0, width, height), "mark");
  return { ...design, button: button && { ...button, isOnField: isUnderButton }, graphic };
}

/** A row over a mark that is far taller than the canvas. */
export function rowOnMark(brief: Brief): Design | null {
  const design = plainRow(brief);
  const mark = squareAt(brief.width * 0.64, brief.height * 0.5, brief.height * 2.6);
  return design && { ...design, graphic: { field: null, mark, isRepeated: false } };
}
