import type { Look } from "../look/index.ts";
import type { Box } from "../types.ts";
import { ellipse, emptyMask, fillPath, type Mask, type Path, PathBuilder } from "../vector/index.ts";
import { outlineOf } from "./draw-badge.ts";
import type { Logo } from "./prepared-pack.ts";

/**
 * The brand's mark in a square, as coverage of the canvas: the logo's symbol, or the look's simple shape where the logo
 * consists of letters. Only what lies in `region` is drawn.
 */
export function brandMark(logo: Logo | null, shape: Look["field"]["shape"], square: Box, region: Box): Mask {
  if (logo === null || logo.symbol === null) return fillPath(SHAPES[shape](square), region);
  const { width, height } = logo.symbol;
  const scale = square.width / Math.max(width, height);
  const box: Box = {
    x: square.x + (square.width - width * scale) / 2,
    y: square.y + (square.height - height * scale) / 2,
    width: width * scale,
    height: height * scale,
  };
  return enlargedSymbol(logo, logo.symbol, box, region);
}

/** Coverage of a symbol drawn in `box`. Enlarged alpha is steepened by the same factor, so that its edges stay sharp. */
function enlargedSymbol({ pyramid }: Logo, symbol: Box, box: Box, region: Box): Mask {
  const x = Math.floor(Math.max(box.x, region.x));
  const y = Math.floor(Math.max(box.y, region.y));
  const width = Math.ceil(Math.min(box.x + box.width, region.x + region.width)) - x;
  const height = Math.ceil(Math.min(box.y + box.height, region.y + region.height)) - y;
  if (width <= 0 || height <= 0) return emptyMask(x, y);
  const scale = symbol.width / box.width;
  const part: Box = {
    x: symbol.x + (x - box.x) * scale,
    y: symbol.y + (y - box.y) * scale,
    width: width * scale,
    height: height * scale,
  };
  const { pixels } = pyramid.draw(part, width, height);
  const steepness = Math.max(1, 1 / scale);
  const coverage = new Uint8Array(width * height);
  for (let at = 0; at < coverage.length; at += 1) {
    const alpha = ((pixels[at * 4 + 3] ?? 0) - 127.5) * steepness + 127.5;
    coverage[at] = Math.max(0, Math.min(255, Math.round(alpha)));
  }
  return { x, y, width, height, coverage };
}

/** Shapes of looks in a square, for brands whose logo is a name. */
const SHAPES: Readonly<Record<Look["field"]["shape"], (square: Box) => Path>> = {
  discs: ({ x, y, width: edge }) =>
    joined([
      ellipse(x + edge * 0.36, y + edge * 0.62, edge * 0.36, edge * 0.36),
      ellipse(x + edge * 0.8, y + edge * 0.2, edge * 0.2, edge * 0.2),
    ]),
  bars: ({ x, y, width: edge }) =>
    joined(
      [0, 0.36, 0.72].map((at) =>
        slanted(x + edge * (at - 0.28), y - edge * 0.5, edge * 0.2, edge * 2, edge * 0.68),
      ),
    ),
  // Four leaves: each fills its cell with a quarter of a disc.
  quarters: ({ x, y, width: edge }) =>
    joined([
      quarter(x, y, edge / 2, 1, 1),
      quarter(x + edge, y, edge / 2, -1, 1),
      quarter(x, y + edge, edge / 2, 1, -1),
      quarter(x + edge / 2, y + edge / 2, edge / 2, 1, 1),
    ]),
  rings: ({ x, y, width: edge }) =>
    joined(
      [0.74, 0.57, 0.4, 0.23].flatMap((radius) =>
        ring(x + edge / 2, y + edge / 2, edge * radius, edge * 0.012),
      ),
    ),
  burst: (square) => outlineOf(square, "burst"),
};

const joined = (paths: readonly Path[]): Path =>
  paths.reduce((builder, path) => builder.append(path), new PathBuilder()).build();

const slanted = (x: number, y: number, width: number, height: number, lean: number): Path => {
  const path = new PathBuilder().moveTo(x + lean, y).lineTo(x + lean + width, y);
  return path
    .lineTo(x + width, y + height)
    .lineTo(x, y + height)
    .close()
    .build();
};

/** A quarter of a disc around a corner; the signs say to which sides it opens. */
function quarter(x: number, y: number, radius: number, across: 1 | -1, down: 1 | -1): Path {
  const [dx, dy] = [radius * across, radius * down];
  return new PathBuilder()
    .moveTo(x, y)
    .lineTo(x + dx, y)
    .cubicTo(x + dx, y + dy * 0.5523, x + dx * 0.5523, y + dy, x, y + dy)
    .close()
    .build();
}

/** A thin ring: an outline and the same one turned around within it, which the winding rule leaves empty. */
function ring(x: number, y: number, radius: number, line: number): readonly Path[] {
  const inner = ellipse(-x, y, radius - line, radius - line);
  return [ellipse(x, y, radius, radius), new PathBuilder().append(inner, (at) => -at).build()];
}
