import type { Bomb } from "../bomb.ts";
import { BOX, bomb, FORBIDDEN, svg, TOO_LARGE } from "./bomb.ts";

/** Groups `g0` … `gN`, each with `width` uses of the previous one. */
const usesOfUses = (depth: number, width: number, leaf: string): string =>
  Array.from({ length: depth }, (_, level) => {
    const body = level === 0 ? leaf : `<use href="#g${level - 1}"/>`.repeat(width);
    return `<g id="g${level}">${body}</g>`;
  }).join("");

/** Bombs of nested references. Long chains of references are in test/renderer/svg-bounds.test.ts. */
export const REFERENCE_BOMBS: readonly Bomb[] = [
  bomb("uses of uses: 10^10 boxes", TOO_LARGE, () =>
    svg(`<defs>${usesOfUses(11, 10, BOX)}</defs><use href="#g10"/>`),
  ),
  bomb("uses of uses: 2^60 boxes", TOO_LARGE, () =>
    svg(`<defs>${usesOfUses(61, 2, BOX)}</defs><use href="#g60"/>`),
  ),
  bomb("a use of itself", FORBIDDEN, () => svg('<g id="a"><use href="#a"/></g>')),
  bomb("two uses of one another", FORBIDDEN, () =>
    svg(`<g id="a"><use href="#b"/>${BOX}</g><g id="b"><use href="#a"/></g>`),
  ),
  bomb("a pattern that fills itself", FORBIDDEN, () =>
    svg(
      '<pattern id="p" width="9" height="9"><rect width="5" height="5" fill="url(#p)"/></pattern><rect width="999" height="999" fill="url(#p)"/>',
    ),
  ),
  bomb("a mask that masks itself", FORBIDDEN, () =>
    svg(
      '<mask id="m" mask="url(#m)"><rect width="5" height="5"/></mask><rect width="999" height="999" mask="url(#m)"/>',
    ),
  ),
  bomb("a clip that clips itself through another", FORBIDDEN, () =>
    svg(
      '<clipPath id="a" clip-path="url(#b)"><rect width="5" height="5"/></clipPath><clipPath id="b" clip-path="url(#a)"><rect width="5" height="5"/></clipPath><rect width="999" height="999" clip-path="url(#a)"/>',
    ),
  ),
  bomb("gradients that refer to one another", FORBIDDEN, () =>
    svg(
      '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="999" height="999" fill="url(#a)"/>',
    ),
  ),
  bomb("one id a thousand times", FORBIDDEN, () => svg(`${'<g id="a"><use href="#a"/></g>'.repeat(1_000)}`)),
];
