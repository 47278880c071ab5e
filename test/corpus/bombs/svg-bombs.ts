import { ascii, joined } from "../seeds/binary.ts";
import type { Bomb } from "./bomb.ts";

const svg = (content: string, attributes = 'viewBox="0 0 1000 1000"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

const BOX = '<rect width="10" height="10"/>';
const TOO_LARGE = ["TOO_LARGE/ASSET_UNREADABLE"];
const FORBIDDEN = ["FORBIDDEN_CONTENT/ASSET_UNREADABLE"];

const bomb = (name: string, make: () => string, outcomes: readonly string[]): Bomb => ({
  name,
  kind: "svg",
  make: () => new TextEncoder().encode(make()),
  outcomes,
});

/** Groups `g0` … `gN`, each with `width` uses of the one before. */
const usesOfUses = (depth: number, width: number, leaf: string): string =>
  Array.from({ length: depth }, (_, level) => {
    const body = level === 0 ? leaf : `<use href="#g${level - 1}"/>`.repeat(width);
    return `<g id="g${level}">${body}</g>`;
  }).join("");

/** A path that runs across the picture and back. */
const zigzag = (turns: number): string =>
  `M0 0${Array.from({ length: turns }, (_, turn) => `L${turn % 2 === 0 ? 999 : 0} ${turn % 997}`).join("")}`;

const CODE_FILTER = (primitives: string, attributes = ""): string =>
  svg(
    `<filter id="f" ${attributes}>${primitives}</filter><rect width="1000" height="1000" filter="url(#f)"/>`,
  );

/** XML itself. */
const XML_BOMBS: readonly Bomb[] = [
  bomb(
    "entities that expand a billionfold",
    () =>
      `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, level) => {
        const name = String.fromCharCode(98 + level);
        return `<!ENTITY ${name} "${`&${String.fromCharCode(97 + level)};`.repeat(10)}">`;
      }).join("")}]>${svg("<title>&j;</title>")}`,
    FORBIDDEN,
  ),
  bomb(
    "an entity that reads a file",
    () => `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg(`<title>&x;</title>${BOX}`)}`,
    FORBIDDEN,
  ),
  bomb("nesting 100,000 deep", () => svg("<g>".repeat(100_000) + "</g>".repeat(100_000)), TOO_LARGE),
  bomb("a hundred thousand elements", () => svg(BOX.repeat(69_000)), TOO_LARGE),
  bomb(
    "a million attributes",
    () => svg(`<rect ${Array.from({ length: 200_000 }, (_, at) => `a${at}=""`).join(" ")}/>`),
    ["NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE"],
  ),
  bomb("an attribute name of 2 MB", () => `<svg ${"a".repeat(2_000_000)}`, ["TRUNCATED/ASSET_UNREADABLE"]),
  bomb("two million blanks in a tag", () => `<svg${" ".repeat(2_000_000)}x>`, [
    "NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE",
  ]),
  // All references were looked up before the first unknown one was complained of: 350 MB of matches.
  bomb("a million ampersands", () => svg(`<title>${"&".repeat(1_900_000)}</title>${BOX}`), FORBIDDEN),
  bomb("200,000 document types", () => "<!DOCTYPE>".repeat(200_000), ["NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE"]),
  bomb("400,000 comments", () => svg("<!---->".repeat(280_000) + BOX), ["taken/drawn"]),
];

/**
 * Style sheets and values. A pattern that can match the same text in two ways, or that searches on to the end of the
 * text from each of its beginnings, takes quadratic time: a width of a million digits was split between the two digit
 * runs of `\\d+\\.?\\d*` in each possible way; each of many `url(` without an end was followed to the end of the
 * value; each class of a selector was searched for in a list of as many.
 */
const TEXT_BOMBS: readonly Bomb[] = [
  bomb(
    "a style sheet of comments that never end",
    () => svg(`<style>${"/*".repeat(900_000)}</style>${BOX}`),
    ["taken/drawn", "TRUNCATED/ASSET_UNREADABLE", "UNSUPPORTED/ASSET_UNREADABLE"],
  ),
  bomb("a selector of 50,000 classes against as many", () => {
    const classes = Array.from({ length: 100_000 }, (_, at) => `c${at}`);
    return svg(
      `<style>${classes.map((name) => `.${name}`).join("")}{fill:red}</style><rect width="9" height="9" class="${classes.join(" ")}"/>`,
    );
  }, ["UNSUPPORTED/ASSET_UNREADABLE"]),
  bomb("500 rules on 10,000 elements of many classes", () => {
    const rules = Array.from({ length: 500 }, (_, at) => `.a.b.c${at}{fill:red}`).join("");
    return svg(`<style>${rules}</style>${`<path class="a b ${"d ".repeat(60)}" d="M0 0h1"/>`.repeat(9_900)}`);
  }, ["taken/ASSET_EMPTY"]),
  bomb(
    "url( and 100,000 blanks",
    () => svg(`<rect width="9" height="9" style="fill:url(${" ".repeat(100_000)}"/>`),
    FORBIDDEN,
  ),
  bomb(
    "a list of url( without an end",
    () => svg(`<rect width="9" height="9" fill="${"url(".repeat(100_000)}"/>`),
    FORBIDDEN,
  ),
  bomb("a width of a million digits", () => svg(BOX, `width="${"1".repeat(1_000_000)}x" height="1"`), [
    "UNSUPPORTED/ASSET_UNREADABLE",
  ]),
  bomb("a view box of a million blanks", () => svg(BOX, `viewBox="0${" ".repeat(1_000_000)}0 9 x"`), [
    "UNSUPPORTED/ASSET_UNREADABLE",
  ]),
  bomb(
    "a class list of a million blanks",
    () => svg(`<rect width="9" height="9" class="${" ".repeat(1_900_000)}a"/>`),
    ["taken/drawn"],
  ),
  bomb(
    "an importance mark and a million blanks",
    () => svg(`<rect width="9" height="9" style="fill:red!${" !".repeat(600_000)}"/>`),
    ["taken/drawn"],
  ),
  bomb(
    "a number of a million digits",
    () => svg(`<rect width="9" height="9" stroke-dasharray="${"1".repeat(1_900_000)}"/>`),
    ["taken/drawn"],
  ),
  // The scale became 0 or infinite, the pixel size NaN, and the rasteriser's RangeError escaped to the queue.
  bomb("sides that overflow a number", () => svg(BOX, 'viewBox="0 0 1e-300 1e-300" width="1e300"'), [
    "UNSUPPORTED/ASSET_UNREADABLE",
  ]),
  bomb("a view box too small to divide by", () => svg(BOX, 'viewBox="0 0 5e-324 5e-324"'), [
    "UNSUPPORTED/ASSET_UNREADABLE",
    "taken/drawn",
    "taken/ASSET_UNREADABLE",
    "taken/ASSET_EMPTY",
  ]),
];

/** References. */
const REFERENCE_BOMBS: readonly Bomb[] = [
  bomb(
    "uses of uses: 10^10 boxes",
    () => svg(`<defs>${usesOfUses(11, 10, BOX)}</defs><use href="#g10"/>`),
    TOO_LARGE,
  ),
  bomb(
    "uses of uses: 2^60 boxes",
    () => svg(`<defs>${usesOfUses(61, 2, BOX)}</defs><use href="#g60"/>`),
    TOO_LARGE,
  ),
  bomb("a use of itself", () => svg('<g id="a"><use href="#a"/></g>'), FORBIDDEN),
  bomb(
    "two uses of one another",
    () => svg(`<g id="a"><use href="#b"/>${BOX}</g><g id="b"><use href="#a"/></g>`),
    FORBIDDEN,
  ),
  bomb(
    "a pattern that fills itself",
    () =>
      svg(
        '<pattern id="p" width="9" height="9"><rect width="5" height="5" fill="url(#p)"/></pattern><rect width="999" height="999" fill="url(#p)"/>',
      ),
    FORBIDDEN,
  ),
  bomb(
    "a mask that masks itself",
    () =>
      svg(
        '<mask id="m" mask="url(#m)"><rect width="5" height="5"/></mask><rect width="999" height="999" mask="url(#m)"/>',
      ),
    FORBIDDEN,
  ),
  bomb(
    "a clip that clips itself through another",
    () =>
      svg(
        '<clipPath id="a" clip-path="url(#b)"><rect width="5" height="5"/></clipPath><clipPath id="b" clip-path="url(#a)"><rect width="5" height="5"/></clipPath><rect width="999" height="999" clip-path="url(#a)"/>',
      ),
    FORBIDDEN,
  ),
  bomb(
    "gradients that refer to one another",
    () =>
      svg(
        '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="999" height="999" fill="url(#a)"/>',
      ),
    FORBIDDEN,
  ),
  bomb("one id a thousand times", () => svg(`${'<g id="a"><use href="#a"/></g>'.repeat(1_000)}`), FORBIDDEN),
];

/**
 * What is drawn. Counting elements and layers is not enough, for the rasteriser's time goes into pixels and outline
 * points: one filter of 3,000 steps counted as one filter, one path of 20,000 points used 9,000 times as 9,000
 * elements, and each of 5,000 lines had 20,000 dashes to itself. The work is estimated now (drawing-cost.ts), the
 * picture drawn smaller when it is much, and refused when it is too much.
 */
const DRAWING_BOMBS: readonly Bomb[] = [
  bomb("a path of 190,000 lines across the picture", () => svg(`<path d="${zigzag(190_000)}"/>`), [
    "taken/drawn",
    ...TOO_LARGE,
  ]),
  bomb(
    "the same path, stroked with round joins",
    () =>
      svg(
        `<path fill="none" stroke="#000" stroke-width="9" stroke-linejoin="round" stroke-linecap="round" d="${zigzag(190_000)}"/>`,
      ),
    ["taken/drawn", ...TOO_LARGE],
  ),
  bomb(
    "a path of 20,000 lines, used 9,000 times",
    () => svg(`<path id="p" d="${zigzag(20_000)}"/>${'<use href="#p"/>'.repeat(9_000)}`),
    TOO_LARGE,
  ),
  bomb(
    "a polygon of 200,000 corners in a clip of every group",
    () =>
      svg(
        `<clipPath id="c"><polygon points="${"0 0 999 500 ".repeat(100_000)}"/></clipPath>${`<g clip-path="url(#c)">${BOX}</g>`.repeat(300)}`,
      ),
    TOO_LARGE,
  ),
  bomb(
    "20,000 dashes on each of 5,000 lines",
    () => svg(`<g stroke="#000" stroke-dasharray=".1">${'<line x2="400" y2="0"/>'.repeat(5_000)}</g>`),
    TOO_LARGE,
  ),
  bomb(
    "20,000 dashes, used 9,000 times",
    () =>
      svg(
        `<line id="l" x2="400" y2="400" stroke="#000" stroke-dasharray=".1"/>${'<use href="#l"/>'.repeat(9_000)}`,
      ),
    TOO_LARGE,
  ),
  bomb(
    "dashes on sides given in percent of a wide view",
    () =>
      svg(
        '<rect width="100%" height="100%" fill="none" stroke="#000" stroke-dasharray=".05"/>',
        'viewBox="0 0 1000000 1000000"',
      ),
    TOO_LARGE,
  ),
  bomb(
    "dashes on sides given in inches",
    () =>
      svg(
        '<rect width="990in" height="990in" fill="none" stroke="#000" stroke-dasharray=".5"/>',
        'viewBox="0 0 100000 100000"',
      ),
    TOO_LARGE,
  ),
  bomb(
    "dashes given in thousandths of a percent",
    () =>
      svg(
        '<rect width="999" height="999" fill="none" stroke="#000" stroke-dasharray=".5%"/>',
        'viewBox="0 0 .1 .1"',
      ),
    ["taken/drawn", "taken/ASSET_EMPTY", ...TOO_LARGE],
  ),
  bomb(
    "a dash array of 300,000 numbers",
    () => svg(`<path stroke="#000" d="M0 0L999 999" stroke-dasharray="${".1 ".repeat(300_000)}"/>`),
    ["taken/drawn", "taken/ASSET_EMPTY", ...TOO_LARGE],
  ),
  bomb(
    "a filter of 3,000 blurs",
    () => CODE_FILTER('<feGaussianBlur stdDeviation="20"/>'.repeat(3_000)),
    TOO_LARGE,
  ),
  bomb(
    "a filter that merges 5,000 times",
    () => CODE_FILTER(`<feMerge>${'<feMergeNode in="SourceGraphic"/>'.repeat(5_000)}</feMerge>`),
    TOO_LARGE,
  ),
  bomb(
    "a filter of 2,000 floods, each kept",
    () => CODE_FILTER(Array.from({ length: 2_000 }, (_, at) => `<feFlood result="r${at}"/>`).join("")),
    TOO_LARGE,
  ),
  bomb(
    "a blur as wide as the picture",
    () => CODE_FILTER('<feGaussianBlur stdDeviation="1000"/>'),
    TOO_LARGE,
  ),
  bomb(
    "a blur that a transform makes wide",
    () =>
      svg(
        '<filter id="f" x="-99" y="-99" width="200" height="200"><feGaussianBlur stdDeviation="90"/></filter><g transform="scale(1000)"><rect width="1" height="1" filter="url(#f)"/></g>',
      ),
    ["taken/drawn", "taken/ASSET_UNREADABLE", "taken/ASSET_EMPTY", ...TOO_LARGE],
  ),
  bomb(
    "a blur in units of a wide box",
    () => CODE_FILTER('<feGaussianBlur stdDeviation="90"/>', 'primitiveUnits="objectBoundingBox"'),
    ["taken/drawn", "taken/ASSET_UNREADABLE", "taken/ASSET_EMPTY", ...TOO_LARGE],
  ),
  bomb(
    "a filter region of 10^9 pixels a side",
    () =>
      CODE_FILTER(
        "<feFlood/>",
        'filterUnits="userSpaceOnUse" x="-500000000" y="-500000000" width="1000000000" height="1000000000"',
      ),
    ["taken/drawn", "taken/ASSET_UNREADABLE", "taken/ASSET_EMPTY"],
  ),
  bomb(
    "a shadow moved by 10^9",
    () => CODE_FILTER('<feDropShadow dx="1000000000" dy="1000000000" stdDeviation="9"/>'),
    ["taken/drawn", "taken/ASSET_UNREADABLE", "taken/ASSET_EMPTY"],
  ),
  bomb(
    "a layer of 25 pictures",
    () => svg('<g opacity=".9"><rect x="-9000" y="-9000" width="19000" height="19000"/></g>'),
    ["taken/drawn"],
  ),
  bomb(
    "masks of masks of 25 pictures",
    () =>
      svg(
        `<mask id="m" maskUnits="userSpaceOnUse" x="-9999" y="-9999" width="19999" height="19999"><rect x="-9000" y="-9000" width="19000" height="19000" fill="#fff"/></mask>${'<g mask="url(#m)">'.repeat(5)}<rect x="-9000" y="-9000" width="19000" height="19000"/>${"</g>".repeat(5)}`,
      ),
    ["taken/drawn", "taken/ASSET_EMPTY", ...TOO_LARGE],
  ),
  bomb(
    "a filter of 24 steps over 25 pictures",
    () =>
      CODE_FILTER(
        '<feOffset dx="1"/>'.repeat(24),
        'filterUnits="userSpaceOnUse" x="-9999" y="-9999" width="19999" height="19999"',
      ),
    TOO_LARGE,
  ),
  bomb(
    "390 layers of the whole picture",
    () => svg('<g opacity=".9"><rect width="1000" height="1000"/></g>'.repeat(390)),
    ["taken/drawn", ...TOO_LARGE],
  ),
  bomb(
    "12 layers inside one another, 33 times",
    () =>
      svg(
        `${'<g opacity=".9">'.repeat(12)}<rect width="1000" height="1000"/>${"</g>".repeat(12)}`.repeat(33),
      ),
    ["taken/drawn", ...TOO_LARGE],
  ),
  bomb(
    "a pattern with a tile of a million pixels a side",
    () =>
      svg(
        '<pattern id="p" width="1000000" height="1000000" patternUnits="userSpaceOnUse"><rect width="999999" height="999999"/></pattern><rect width="1000" height="1000" fill="url(#p)"/>',
      ),
    ["taken/drawn", "taken/ASSET_UNREADABLE", "taken/ASSET_EMPTY", ...TOO_LARGE],
  ),
  bomb(
    "a pattern with a tile of a millionth of a pixel",
    () =>
      svg(
        '<pattern id="p" width=".000001" height=".000001" patternUnits="userSpaceOnUse"><rect width="1" height="1"/></pattern><rect width="1000" height="1000" fill="url(#p)"/>',
      ),
    ["taken/drawn", "taken/ASSET_UNREADABLE", "taken/ASSET_EMPTY", ...TOO_LARGE],
  ),
  bomb(
    "390 patterns with large tiles",
    () =>
      svg(
        `<pattern id="p" width="1000" height="1000" patternUnits="userSpaceOnUse"><rect width="999" height="999"/></pattern>${'<rect width="1000" height="1000" fill="url(#p)"/>'.repeat(390)}`,
      ),
    ["taken/drawn", ...TOO_LARGE],
  ),
  bomb(
    "a stroke 10^9 wide",
    () =>
      svg('<path d="M0 0L999 999L0 999Z" stroke="#000" stroke-width="1000000000" stroke-linejoin="round"/>'),
    ["taken/drawn", "taken/ASSET_UNREADABLE", "taken/ASSET_EMPTY"],
  ),
  bomb(
    "an arc of 10^9",
    () =>
      svg(
        '<path d="M0 0A1000000000 1000000000 0 1 1 1 1" stroke="#000" fill="none"/><circle r="1000000000" fill="none" stroke="#000"/>',
      ),
    ["taken/drawn", "taken/ASSET_UNREADABLE", "taken/ASSET_EMPTY"],
  ),
  bomb(
    "4,900 large gradients",
    () =>
      svg(
        `${Array.from({ length: 4_900 }, (_, at) => `<linearGradient id="g${at}"><stop/></linearGradient><rect width="1000" height="1000" fill="url(#g${at})"/>`).join("")}`,
      ),
    ["taken/drawn", ...TOO_LARGE],
  ),
  bomb(
    "9,900 boxes over the whole picture",
    () => svg('<rect width="1000" height="1000" fill="#000" fill-opacity=".5"/>'.repeat(9_900)),
    ["taken/drawn", ...TOO_LARGE],
  ),
];

/** Other files under an SVG's name. */
const POLYGLOTS: readonly Bomb[] = [
  bomb("a web page with an SVG in it", () => `<html><body>${svg(BOX)}</body></html>`, [
    "NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE",
  ]),
  bomb(
    "an SVG with a web page in it",
    () => svg('<foreignObject><iframe src="javascript:alert(1)"/></foreignObject>'),
    FORBIDDEN,
  ),
  bomb("an SVG that ends in a web page", () => `${svg(BOX)}<html><script>alert(1)</script></html>`, [
    "NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE",
  ]),
  {
    name: "an SVG behind a PDF's head",
    kind: "svg",
    make: () => joined(ascii("%PDF-1.4\n"), new TextEncoder().encode(svg(BOX))),
    outcomes: ["NOT_WHAT_IT_CLAIMS/ASSET_UNREADABLE"],
  },
];

export const SVG_BOMBS: readonly Bomb[] = [
  ...XML_BOMBS,
  ...TEXT_BOMBS,
  ...REFERENCE_BOMBS,
  ...DRAWING_BOMBS,
  ...POLYGLOTS,
];
