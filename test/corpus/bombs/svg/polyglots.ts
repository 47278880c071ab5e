import { ascii, joined } from "../../../support/binary.ts";
import type { Bomb } from "../bomb.ts";
import { BOX, bomb, FORBIDDEN, MALFORMED, svg } from "./bomb.ts";

/** Files of other kinds that are declared as SVG. */
export const POLYGLOTS: readonly Bomb[] = [
  bomb("a web page with an SVG in it", MALFORMED, () => `<html><body>${svg(BOX)}</body></html>`),
  bomb("an SVG with a web page in it", FORBIDDEN, () =>
    svg('<foreignObject><iframe src="javascript:alert(1)"/></foreignObject>'),
  ),
  bomb(
    "an SVG that ends in a web page",
    MALFORMED,
    () => `${svg(BOX)}<html><script>alert(1)</script></html>`,
  ),
  {
    name: "an SVG behind a PDF's head",
    kind: "svg",
    make: () => joined(ascii("%PDF-1.4\n"), new TextEncoder().encode(svg(BOX))),
    outcomes: MALFORMED,
  },
];
