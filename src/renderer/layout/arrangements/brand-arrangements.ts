import type { CompositionWish } from "#catalogue/looks.ts";
import { inset } from "../design/boxes.ts";
import { hasSmallSafeArea } from "../design/canvas-of-size.ts";
import { type Brief, type Design, isWordless } from "../design/design.ts";
import { isRow } from "../design/shape-from-size.ts";
import { shifted } from "../words/text-panel.ts";
import { plainRow, poster, rowOnMark, rowWithField, withField } from "./brand-graphic.ts";
import { row } from "./row.ts";

/** An arrangement of a pack without a picture, and how its field and words share the canvas. */
export interface BrandArrangement {
  readonly kind: Exclude<CompositionWish, "auto">;
  readonly make: (brief: Brief) => Design | null;
}

const TO_END: BrandArrangement = { kind: "split", make: rowWithField };
const ON_MARK: BrandArrangement = { kind: "overlap", make: rowOnMark };
const PLAIN_ROW: BrandArrangement = { kind: "framed", make: plainRow };
const POSTER: BrandArrangement = { kind: "full_bleed", make: poster };

/** The arrangements of a pack without a picture, the preferred one first; each has another structure. */
export function brandArrangements(brief: Brief): readonly BrandArrangement[] {
  const { shape, safe, copy } = brief;
  if (isRow(shape)) {
    return isWordless(copy) ? [TO_END, POSTER] : [TO_END, ON_MARK, PLAIN_ROW];
  }
  if (hasSmallSafeArea(brief)) return [{ kind: "framed", make: rowInSafeArea }, POSTER];
  const isLow = shape === "leaderboard";
  const isWide = isLow || safe.width > safe.height * 1.1;
  // A story's field reaches under what is reserved at its foot, which is more than at its head.
  const upright = shape === "story" ? (["foot", "head"] as const) : (["head", "foot"] as const);
  const [near, far] = isWide ? (["end", "start"] as const) : upright;
  const field = (
    side: typeof near | typeof far,
    content: "price" | "mark" | "pattern",
  ): BrandArrangement => ({
    kind: "split",
    make: (one) => withField(one, side, content),
  });
  return [
    // A price without a headline leads the words.
    ...(copy.price === undefined || copy.headline === undefined ? [] : [field(near, "price")]),
    field(near, "mark"),
    ...(isLow ? [TO_END, ON_MARK] : [POSTER]),
    field(far, "pattern"),
    ...(isLow ? [POSTER, PLAIN_ROW] : []),
  ];
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
