import type { Bomb } from "../bomb.ts";
import { BOX, bomb, DRAWN, FORBIDDEN, svg, TOO_LARGE, UNSUPPORTED } from "./bomb.ts";

/**
 * Style sheets and values. A pattern that can match the same text in two ways, or that searches on to the end of the
 * text from each of its beginnings, takes quadratic time: a width of a million digits was split between the two digit
 * runs of `\\d+\\.?\\d*` in each possible way; each of many `url(` without an end was followed to the end of the
 * value; each class of a selector was searched for in a list of as many.
 */
export const TEXT_BOMBS: readonly Bomb[] = [
  bomb(
    "a style sheet of comments that never end",
    ["taken/drawn", "TRUNCATED/ASSET_UNREADABLE", "UNSUPPORTED/ASSET_UNREADABLE"],
    () => svg(`<style>${"/*".repeat(900_000)}</style>${BOX}`),
  ),
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
  bomb("url( and 100,000 blanks", FORBIDDEN, () =>
    svg(`<rect width="9" height="9" style="fill:url(${" ".repeat(100_000)}"/>`),
  ),
  bomb("a list of url( without an end", TOO_LARGE, () =>
    svg(`<rect width="9" height="9" fill="${"url(".repeat(100_000)}"/>`),
  ),
  bomb("a width of a million digits", UNSUPPORTED, () =>
    svg(BOX, `width="${"1".repeat(1_000_000)}x" height="1"`),
  ),
  bomb("a view box of a million blanks", UNSUPPORTED, () =>
    svg(BOX, `viewBox="0${" ".repeat(1_000_000)}0 9 x"`),
  ),
  bomb("a class list of a million blanks", DRAWN, () =>
    svg(`<rect width="9" height="9" class="${" ".repeat(1_900_000)}a"/>`),
  ),
  bomb("an importance mark and a million blanks", TOO_LARGE, () =>
    svg(`<rect width="9" height="9" style="fill:red!${" !".repeat(600_000)}"/>`),
  ),
  bomb("a number of a million digits", TOO_LARGE, () =>
    svg(`<rect width="9" height="9" stroke-dasharray="${"1".repeat(1_900_000)}"/>`),
  ),
  // Blanks before and behind a comma that is not there were split in each possible way: 120 KB took 25 s.
  bomb("two million blanks behind a transform", DRAWN, () =>
    svg(`<rect width="9" height="9" transform="scale(1)${" ".repeat(2_000_000)}x"/>`),
  ),
  // Each beginning of a comment was searched through to the end of the sheet: 300 KB took 12 s.
  bomb("600,000 beginnings of a comment, with blanks", DRAWN, () =>
    svg(`<style>${"/* ".repeat(600_000)}</style>${BOX}`),
  ),
  // Each element kept and wrote the value anew: 116 KB took 800 MB, and twice that much overflowed a string.
  bomb("a long value for each of 4,000 elements", TOO_LARGE, () =>
    svg(`<style>*{fill:${"a".repeat(100_000)}}</style>${"<g/>".repeat(4_000)}${BOX}`),
  ),
  bomb("a value of a kilobyte for each of 9,000 elements", TOO_LARGE, () =>
    svg(`<style>*{fill:${"a".repeat(1_000)}}</style>${"<g/>".repeat(9_000)}${BOX}`),
  ),
  // All were read before they were counted: 208 MB.
  bomb("a million selectors", TOO_LARGE, () =>
    svg(`<style>${"a,".repeat(950_000)}b{fill:red}</style>${BOX}`),
  ),
  bomb("500 rules of classes on 9,900 elements", DRAWN, () => {
    const rules = Array.from({ length: 500 }, (_, at) => `.c${at}{fill:red;stroke:red;opacity:1}`).join("");
    return svg(
      `<style>${rules}</style>${Array.from({ length: 9_900 }, (_, at) => `<g class="c${at % 500} c1 c2"/>`).join("")}${BOX}`,
    );
  }),
  bomb("60 rules of several parts on 9,900 elements", DRAWN, () =>
    svg(`<style>${"g.a.b{fill:red}".repeat(60)}</style>${'<g class="a b"/>'.repeat(9_900)}${BOX}`),
  ),
  // The scale became 0 or infinite, the pixel size NaN, and the rasteriser's RangeError escaped to the queue.
  bomb("sides that overflow a number", UNSUPPORTED, () =>
    svg(BOX, 'viewBox="0 0 1e-300 1e-300" width="1e300"'),
  ),
  bomb(
    "a view box too small to divide by",
    ["UNSUPPORTED/ASSET_UNREADABLE", "taken/drawn", "taken/ASSET_UNREADABLE", "taken/ASSET_EMPTY"],
    () => svg(BOX, 'viewBox="0 0 5e-324 5e-324"'),
  ),
];
