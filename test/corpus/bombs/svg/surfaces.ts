import type { Bomb } from "../bomb.ts";
import { ACCEPTED, bomb, DRAWN, svg, TOO_LARGE } from "./bomb.ts";

/** A picture with a filter of these primitives. */
const filtered = (primitives: string, attributes = ""): string =>
  svg(
    `<filter id="f" ${attributes}>${primitives}</filter><rect width="1000" height="1000" filter="url(#f)"/>`,
  );

/**
 * Bombs of many pixels: filters, layers, masks, patterns and gradients. Limiting the number of layers is not enough,
 * because one filter may have 3,000 steps. The work is estimated; see outlines.ts.
 */
export const SURFACE_BOMBS: readonly Bomb[] = [
  bomb("a filter of 3,000 blurs", TOO_LARGE, () =>
    filtered('<feGaussianBlur stdDeviation="20"/>'.repeat(3_000)),
  ),
  bomb("a filter that merges 5,000 times", TOO_LARGE, () =>
    filtered(`<feMerge>${'<feMergeNode in="SourceGraphic"/>'.repeat(5_000)}</feMerge>`),
  ),
  bomb("a filter of 2,000 floods, each kept", TOO_LARGE, () =>
    filtered(Array.from({ length: 2_000 }, (_, at) => `<feFlood result="r${at}"/>`).join("")),
  ),
  bomb("399 blurs of small parts, 24 steps each", DRAWN, () =>
    svg(
      `<filter id="f">${'<feGaussianBlur stdDeviation="1"/>'.repeat(24)}</filter>${'<rect width="9" height="9" filter="url(#f)"/>'.repeat(399)}`,
    ),
  ),
  bomb("399 blurs of a third of the picture", TOO_LARGE, () =>
    svg(
      `<filter id="f"><feGaussianBlur stdDeviation="9"/></filter>${'<rect width="570" height="570" filter="url(#f)"/>'.repeat(399)}`,
    ),
  ),
  bomb("20 blurs of the whole picture", [...ACCEPTED, ...TOO_LARGE], () =>
    svg(
      `<filter id="f"><feGaussianBlur stdDeviation="490"/></filter>${'<rect width="1000" height="1000" filter="url(#f)"/>'.repeat(20)}`,
    ),
  ),
  bomb("the widest radius that is taken", ACCEPTED, () =>
    filtered('<feMorphology radius="110"/>', 'x="0" y="0" width="1" height="1"'),
  ),
  bomb("100 small radii over half of the picture", [...DRAWN, ...TOO_LARGE], () =>
    svg(
      `<filter id="f"><feMorphology radius="2" operator="dilate"/></filter>${'<rect width="500" height="500" filter="url(#f)"/>'.repeat(100)}`,
    ),
  ),
  bomb("a radius as wide as the picture", TOO_LARGE, () => filtered('<feMorphology radius="1000"/>')),
  bomb("a blur as wide as the picture", TOO_LARGE, () => filtered('<feGaussianBlur stdDeviation="1000"/>')),
  bomb("a blur that a transform makes wide", [...ACCEPTED, ...TOO_LARGE], () =>
    svg(
      '<filter id="f" x="-99" y="-99" width="200" height="200"><feGaussianBlur stdDeviation="90"/></filter><g transform="scale(1000)"><rect width="1" height="1" filter="url(#f)"/></g>',
    ),
  ),
  bomb("a blur in units of a wide box", [...ACCEPTED, ...TOO_LARGE], () =>
    filtered('<feGaussianBlur stdDeviation="90"/>', 'primitiveUnits="objectBoundingBox"'),
  ),
  bomb("a filter region of 10^9 pixels a side", ACCEPTED, () =>
    filtered(
      "<feFlood/>",
      'filterUnits="userSpaceOnUse" x="-500000000" y="-500000000" width="1000000000" height="1000000000"',
    ),
  ),
  bomb("a shadow moved by 10^9", ACCEPTED, () =>
    filtered('<feDropShadow dx="1000000000" dy="1000000000" stdDeviation="9"/>'),
  ),
  bomb("a layer of 25 pictures", DRAWN, () =>
    svg('<g opacity=".9"><rect x="-9000" y="-9000" width="19000" height="19000"/></g>'),
  ),
  bomb("masks of masks of 25 pictures", ["taken/drawn", "taken/ASSET_EMPTY", ...TOO_LARGE], () =>
    svg(
      `<mask id="m" maskUnits="userSpaceOnUse" x="-9999" y="-9999" width="19999" height="19999"><rect x="-9000" y="-9000" width="19000" height="19000" fill="#fff"/></mask>${'<g mask="url(#m)">'.repeat(5)}<rect x="-9000" y="-9000" width="19000" height="19000"/>${"</g>".repeat(5)}`,
    ),
  ),
  bomb("a filter of 24 steps over 25 pictures", TOO_LARGE, () =>
    filtered(
      '<feOffset dx="1"/>'.repeat(24),
      'filterUnits="userSpaceOnUse" x="-9999" y="-9999" width="19999" height="19999"',
    ),
  ),
  bomb("390 layers of the whole picture", [...DRAWN, ...TOO_LARGE], () =>
    svg('<g opacity=".9"><rect width="1000" height="1000"/></g>'.repeat(390)),
  ),
  bomb("12 layers inside one another, 33 times", [...DRAWN, ...TOO_LARGE], () =>
    svg(`${'<g opacity=".9">'.repeat(12)}<rect width="1000" height="1000"/>${"</g>".repeat(12)}`.repeat(33)),
  ),
  bomb("a pattern with a tile of a million pixels a side", [...ACCEPTED, ...TOO_LARGE], () =>
    svg(
      '<pattern id="p" width="1000000" height="1000000" patternUnits="userSpaceOnUse"><rect width="999999" height="999999"/></pattern><rect width="1000" height="1000" fill="url(#p)"/>',
    ),
  ),
  bomb("a pattern with a tile of a millionth of a pixel", [...ACCEPTED, ...TOO_LARGE], () =>
    svg(
      '<pattern id="p" width=".000001" height=".000001" patternUnits="userSpaceOnUse"><rect width="1" height="1"/></pattern><rect width="1000" height="1000" fill="url(#p)"/>',
    ),
  ),
  bomb("390 patterns with large tiles", [...DRAWN, ...TOO_LARGE], () =>
    svg(
      `<pattern id="p" width="1000" height="1000" patternUnits="userSpaceOnUse"><rect width="999" height="999"/></pattern>${'<rect width="1000" height="1000" fill="url(#p)"/>'.repeat(390)}`,
    ),
  ),
  bomb("4,900 large gradients", [...DRAWN, ...TOO_LARGE], () =>
    svg(
      `${Array.from({ length: 4_900 }, (_, at) => `<linearGradient id="g${at}"><stop/></linearGradient><rect width="1000" height="1000" fill="url(#g${at})"/>`).join("")}`,
    ),
  ),
  bomb("9,900 boxes over the whole picture", [...DRAWN, ...TOO_LARGE], () =>
    svg('<rect width="1000" height="1000" fill="#000" fill-opacity=".5"/>'.repeat(9_900)),
  ),
];
