import type { Bomb } from "./bomb.ts";
import { FILE_BOMBS } from "./files.ts";
import { SVG_BOMBS } from "./svg/index.ts";

export type { Bomb } from "./bomb.ts";

/** The slowest SVGs to draw. */
const SLOW_NAMES: ReadonlySet<string> = new Set([
  "500 rules on 10,000 elements of many classes",
  "a blur in units of a wide box",
  "a shadow moved by 10^9",
  "the same path, stroked with round joins",
  "9,900 boxes over the whole picture",
  "500 rules of classes on 9,900 elements",
]);

/** The bombs in a fixed order; a quick run skips the heavy ones. */
export const bombsOf = (isQuick: boolean): readonly Bomb[] =>
  [...FILE_BOMBS, ...SVG_BOMBS].filter(
    (bomb) => !isQuick || (bomb.isHeavy !== true && !SLOW_NAMES.has(bomb.name)),
  );
