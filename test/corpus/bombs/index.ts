import type { Bomb } from "./bomb.ts";
import { FONT_BOMBS } from "./font-bombs.ts";
import { JPEG_BOMBS } from "./jpeg-bombs.ts";
import { PNG_BOMBS } from "./png-bombs.ts";
import { SHAPING_BOMBS } from "./shaping-bombs.ts";
import { SVG_BOMBS } from "./svg/index.ts";
import { WEBP_BOMBS } from "./webp-bombs.ts";

export type { Bomb } from "./bomb.ts";

const BOMBS: readonly Bomb[] = [
  ...PNG_BOMBS,
  ...JPEG_BOMBS,
  ...WEBP_BOMBS,
  ...SVG_BOMBS,
  ...FONT_BOMBS,
  ...SHAPING_BOMBS,
];

/** Take longest to draw of those without a limit of their own. */
const SLOW_NAMES: ReadonlySet<string> = new Set([
  "500 rules on 10,000 elements of many classes",
  "a blur in units of a wide box",
  "a shadow moved by 10^9",
  "the same path, stroked with round joins",
  "9,900 boxes over the whole picture",
  "a million empty chunks before the picture",
  "glyphs of 9,000 points, each from the baseline to the top",
  "500 rules of classes on 9,900 elements",
]);

/** The hand-made bombs in a fixed order; in a quick run without the heavy ones. */
export const bombsOf = (isQuick: boolean): readonly Bomb[] =>
  BOMBS.filter((bomb) => !isQuick || (bomb.isHeavy !== true && !SLOW_NAMES.has(bomb.name)));
