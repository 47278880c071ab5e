import { inset } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import { type Brief, type Design, headlineScore, isWordless, standsOnSurface } from "../design/design.ts";
import { isRow } from "../design/shape-from-size.ts";
import { shifted } from "../words/text-panel.ts";
import { poster, rowOnMark, rowWithField, withField } from "./brand-graphic.ts";
import { centred } from "./centred.ts";
import { fullBleed, isFullBleed } from "./full-bleed.ts";
import { overlay } from "./overlay.ts";
import { pictureOnly } from "./picture-only.ts";
import { productOnSurface } from "./product-on-surface.ts";
import { row } from "./row.ts";
import { split } from "./split.ts";
import { onTextCard, takesTextCard } from "./text-card.ts";

/** Whether pictures stand whole on a surface, rather than filling their places as photos do. */
export const takesProductOnSurface = (brief: Brief): boolean =>
  brief.family !== "scenery" && (standsOnSurface(brief) || brief.hasBackground || brief.family === "person");

/** The arrangement that a canvas of its shape, with such pictures, has first of all; null when the words do not fit. */
export function usualArrangement(brief: Brief): Design | null {
  // In a strip a logo would hide most of the photo: they stand side by side.
  const isSignedStrip =
    isRow(brief.shape) && brief.logo !== null && brief.hero !== null && brief.family !== "scenery";
  if (brief.family === "brand") return bestBrandArrangement(brief);
  if (isWordless(brief.copy) && !isSignedStrip) return pictureOnly(brief);
  if (isRow(brief.shape)) return row(brief);
  if (takesProductOnSurface(brief)) return productOnSurface(brief);
  if (isFullBleed(brief)) return fullBleed(brief);
  if (takesTextCard(brief)) return onTextCard(brief) ?? overlay(brief);
  if (brief.shape === "leaderboard") return split(brief);
  return brief.shape === "landscape" ? splitOrOverlay(brief) : overlay(brief);
}

type Make = (brief: Brief) => Design | null;

/** The arrangements of a pack without a picture, the preferred one first; each has another structure. */
export function brandArrangements(brief: Brief): readonly Make[] {
  const { shape, safe, copy } = brief;
  if (shape === "banner" && !isWordless(copy)) return [rowFromStart, rowToEnd, rowOnMark, row];
  if (isRow(shape))
    return isWordless(copy) ? [rowToEnd, pictureOnly] : [rowToEnd, rowOnMark, rowFromStart, row];
  if (hasSmallSafeArea(brief)) return [rowInSafeArea, centred];
  const isLow = shape === "leaderboard";
  const isWide = isLow || safe.width > safe.height * 1.1;
  const field =
    (...[side, content]: Field) =>
    (one: Brief) =>
      withField(one, side, content);
  const fields: readonly Field[] = isWide
    ? [
        ["end", "price"],
        ["end", "mark"],
        ["start", "pattern"],
      ]
    : [
        ["head", "price"],
        ["head", "mark"],
        ["foot", "pattern"],
      ];
  const [price, mark, pattern] = fields.map((one) => field(...one));
  return [
    ...(copy.price === undefined || copy.headline === undefined ? [] : [price]),
    mark,
    ...(isLow ? [rowToEnd, rowOnMark] : [poster]),
    pattern,
    isLow ? rowOrCentred : centred,
  ].flatMap((make) => make ?? []);
}

type Field = readonly [side: Parameters<typeof withField>[1], content: Parameters<typeof withField>[2]];

const rowToEnd: Make = (brief) => rowWithField(brief, "end");
const rowFromStart: Make = (brief) => rowWithField(brief, "start");

/** A headline with this score leads: later arrangements would only make it larger. */
const HEADLINE_LEADING_MIN = 0.42;

/** The first arrangement whose headline leads, else the one with the largest. */
function bestBrandArrangement(brief: Brief): Design | null {
  let best: Design | null = null;
  for (const make of brandArrangements(brief)) {
    const design = make(brief);
    if (design === null) continue;
    if (headlineScore(design) >= HEADLINE_LEADING_MIN) return design;
    if (best === null || headlineScore(best) < headlineScore(design)) best = design;
  }
  return best;
}

/** A headline with this score is large enough: no other arrangement is tried. */
const HEADLINE_SIZE_FAIR = 0.6;
const OVERLAY_GAIN_MIN = 1.35;

/** Words that are too long for a column are set across the foot of a dark photo instead. */
function splitOrOverlay(brief: Brief): Design | null {
  const beside = split(brief);
  const score = beside === null ? 0 : headlineScore(beside);
  if (score >= HEADLINE_SIZE_FAIR || !brief.isDark || brief.secondaryHero !== null) return beside;
  const across = overlay(brief);
  if (across === null) return beside;
  return headlineScore(across) > score * OVERLAY_GAIN_MIN ? across : beside;
}

/** The words stand beside the button, or over it where a long button leaves them too narrow a column. */
function rowOrCentred(brief: Brief): Design | null {
  const inRow = row(brief);
  const inColumn = centred(brief);
  if (inRow === null || inColumn === null) return inRow ?? inColumn;
  return headlineScore(inColumn) > headlineScore(inRow) * 1.1 ? inColumn : inRow;
}

/** A row keeps margins from a canvas's edges, as shares of its height; a small safe area has its air around it. */
const ROW_MARGIN_SHARES = { across: 0.17, down: 0.09 } as const;

/** A row that fills the small safe area. */
function rowInSafeArea(brief: Brief): Design | null {
  const { x, y, width, height } = brief.safe;
  const safe = inset(
    { x: 0, y: 0, width, height },
    -height * ROW_MARGIN_SHARES.across,
    -height * ROW_MARGIN_SHARES.down,
  );
  const design = row({ ...brief, width, height, shape: "leaderboard", safe });
  return design === null ? null : shifted(design, x, y);
}
