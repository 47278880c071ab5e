import type { Bomb } from "../bomb.ts";
import { BOX, bomb, DRAWN, FORBIDDEN, svg, TOO_LARGE, UNSUPPORTED } from "./bomb.ts";

/**
 * Bombs of text: the slowest markup, style sheets and values to parse. test/renderer/svg-bounds.test.ts checks that the
 * number of parsing steps is proportional to the bytes and covers all of the work.
 */
export const TEXT_BOMBS: readonly Bomb[] = [
  // Took 350 MB while all references were matched before the first unknown one was rejected.
  bomb("a million ampersands", FORBIDDEN, () => svg(`<title>${"&".repeat(1_900_000)}</title>${BOX}`)),
  bomb("a selector of 50,000 classes against as many", UNSUPPORTED, () => {
    const classes = Array.from({ length: 100_000 }, (_, at) => `c${at}`);
    return svg(
      `<style>${classes.map((name) => `.${name}`).join("")}{fill:red}</style><rect width="9" height="9" class="${classes.join(" ")}"/>`,
    );
  }),
  bomb("500 rules on 10,000 elements of many classes", TOO_LARGE, () => {
    const rules = Array.from({ length: 500 }, (_, at) => `.a.b.c${at}{fill:red}`).join("");
    return svg(`<style>${rules}</style>${`<path class="a b ${"d ".repeat(60)}" d="M0 0h1"/>`.repeat(9_900)}`);
  }),
  // Took 208 MB while all selectors were parsed before they were counted.
  bomb("a million selectors", TOO_LARGE, () =>
    svg(`<style>${"a,".repeat(950_000)}b{fill:red}</style>${BOX}`),
  ),
  bomb("500 rules of classes on 9,900 elements", DRAWN, () => {
    const rules = Array.from({ length: 500 }, (_, at) => `.c${at}{fill:red;stroke:red;opacity:1}`).join("");
    return svg(
      `<style>${rules}</style>${Array.from({ length: 9_900 }, (_, at) => `<g class="c${at % 500} c1 c2"/>`).join("")}${BOX}`,
    );
  }),
  // Once the scale became 0 or infinite and the pixel size NaN, and the rasteriser's RangeError reached the queue.
  bomb("sides that overflow a number", UNSUPPORTED, () =>
    svg(BOX, 'viewBox="0 0 1e-300 1e-300" width="1e300"'),
  ),
  bomb(
    "a view box too small to divide by",
    ["UNSUPPORTED/ASSET_UNREADABLE", "taken/drawn", "taken/ASSET_UNREADABLE", "taken/ASSET_EMPTY"],
    () => svg(BOX, 'viewBox="0 0 5e-324 5e-324"'),
  ),
];
