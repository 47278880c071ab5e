import type { Bomb } from "../bomb.ts";
import { ACCEPTED, BOX, bomb, DRAWN, svg, TOO_LARGE } from "./bomb.ts";

/** A path that crosses the picture back and forth. */
const zigzag = (turns: number): string =>
  `M0 0${Array.from({ length: turns }, (_, turn) => `L${turn % 2 === 0 ? 999 : 0} ${turn % 997}`).join("")}`;

/**
 * Bombs of many outline points.
 *
 * Limiting the number of elements is not enough, because the rasteriser's time depends on outline points: one path of
 * 20,000 points that is used 9,000 times counts as 9,000 elements, and each of 5,000 lines may have 20,000 dashes.
 * raster-cost.ts estimates the work. A picture that needs much work is drawn smaller, and a file that needs too much is
 * rejected.
 */
export const OUTLINE_BOMBS: readonly Bomb[] = [
  bomb("a path of 190,000 lines across the picture", [...DRAWN, ...TOO_LARGE], () =>
    svg(`<path d="${zigzag(190_000)}"/>`),
  ),
  bomb("the same path, stroked with round joins", [...DRAWN, ...TOO_LARGE], () =>
    svg(
      `<path fill="none" stroke="#000" stroke-width="9" stroke-linejoin="round" stroke-linecap="round" d="${zigzag(190_000)}"/>`,
    ),
  ),
  bomb("a path of 20,000 lines, used 9,000 times", TOO_LARGE, () =>
    svg(`<path id="p" d="${zigzag(20_000)}"/>${'<use href="#p"/>'.repeat(9_000)}`),
  ),
  bomb("a polygon of 200,000 corners in a clip of every group", TOO_LARGE, () =>
    svg(
      `<clipPath id="c"><polygon points="${"0 0 999 500 ".repeat(100_000)}"/></clipPath>${`<g clip-path="url(#c)">${BOX}</g>`.repeat(300)}`,
    ),
  ),
  bomb("20,000 dashes on each of 5,000 lines", TOO_LARGE, () =>
    svg(`<g stroke="#000" stroke-dasharray=".1">${'<line x2="400" y2="0"/>'.repeat(5_000)}</g>`),
  ),
  bomb("20,000 dashes, used 9,000 times", TOO_LARGE, () =>
    svg(
      `<line id="l" x2="400" y2="400" stroke="#000" stroke-dasharray=".1"/>${'<use href="#l"/>'.repeat(9_000)}`,
    ),
  ),
  bomb("dashes on sides given in percent of a wide view", TOO_LARGE, () =>
    svg(
      '<rect width="100%" height="100%" fill="none" stroke="#000" stroke-dasharray=".05"/>',
      'viewBox="0 0 1000000 1000000"',
    ),
  ),
  bomb("dashes on sides given in inches", TOO_LARGE, () =>
    svg(
      '<rect width="990in" height="990in" fill="none" stroke="#000" stroke-dasharray=".5"/>',
      'viewBox="0 0 100000 100000"',
    ),
  ),
  bomb("dashes given in thousandths of a percent", ["taken/drawn", "taken/ASSET_EMPTY", ...TOO_LARGE], () =>
    svg(
      '<rect width="999" height="999" fill="none" stroke="#000" stroke-dasharray=".5%"/>',
      'viewBox="0 0 .1 .1"',
    ),
  ),
  bomb("a dash array of 300,000 numbers", ["taken/drawn", "taken/ASSET_EMPTY", ...TOO_LARGE], () =>
    svg(`<path stroke="#000" d="M0 0L999 999" stroke-dasharray="${".1 ".repeat(300_000)}"/>`),
  ),
  bomb("a stroke 10^9 wide", ACCEPTED, () =>
    svg('<path d="M0 0L999 999L0 999Z" stroke="#000" stroke-width="1000000000" stroke-linejoin="round"/>'),
  ),
  bomb("an arc of 10^9", ACCEPTED, () =>
    svg(
      '<path d="M0 0A1000000000 1000000000 0 1 1 1 1" stroke="#000" fill="none"/><circle r="1000000000" fill="none" stroke="#000"/>',
    ),
  ),
];
