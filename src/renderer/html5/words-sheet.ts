import { toHex } from "../colour/srgb.ts";
import type { LayerPart, TextLayer } from "../compose/draw-text.ts";
import { partName } from "../motion/choreography.ts";
import type { Timeline } from "../motion/timeline.ts";
import type { Box } from "../types.ts";
import { type Path, pathExtent, VERB } from "../vector/index.ts";

/** The parts of a text, button or badge that form one image, because they move as a whole. */
export interface WordsImage {
  /** Name of its element. */
  readonly name: string;
  /** Its name in the timeline. */
  readonly layer: string;
  /** Its box on the canvas, in whole pixels. */
  readonly box: Box;
  /** Its top on the sheet, in pixels. */
  readonly sheetY: number;
}

/** A text, button or badge of a page. */
export interface PageWords {
  readonly layer: TextLayer;
  readonly images: readonly WordsImage[];
}

export interface WordsSheet {
  /**
   * All images in one SVG file, one below the other. A separate file, because Ad Manager rejects SVG inside the page.
   */
  readonly svg: string;
  readonly words: readonly PageWords[];
}

/** Space between two images, so that none shows an edge of its neighbour. */
const GAP_PX = 2;

/** Coordinates are whole hundredths of a pixel: they take fewer bytes than fractions. */
const UNITS_PER_PX = 100;

/** Draws text as outlines, which need no font and are sharp at any density. */
export function wordsSheetOf(textLayers: readonly TextLayer[], { tracks }: Timeline): WordsSheet {
  const shapes: string[] = [];
  let sheetY = 0;
  let width = 0;
  const imageOf = (name: string, layer: string, parts: readonly LayerPart[]): readonly WordsImage[] => {
    const drawn = parts.map((part) => ({ ...part, path: part.outline() }));
    const box = boxAround(drawn.map(({ path }) => path));
    if (box === null) return [];
    const image = { name, layer, box, sheetY };
    const place = `translate(${-box.x} ${sheetY - box.y}) scale(${1 / UNITS_PER_PX})`;
    shapes.push(`  <g id="${name}" transform="${place}">`, ...drawn.map(shapeOf), "  </g>");
    sheetY += box.height + GAP_PX;
    width = Math.max(width, box.width);
    return [image];
  };
  const words = textLayers.map((layer): PageWords => {
    const { role, parts } = layer;
    const areApart = parts.some((_, part) => tracks.some((track) => track.layer === partName(role, part)));
    const images = areApart
      ? parts.flatMap((one, part) => imageOf(`${role}-${part}`, partName(role, part), [one]))
      : imageOf(role, role, parts);
    return { layer, images };
  });
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${sheetY}">`,
    ...shapes,
    "</svg>",
    "",
  ].join("\n");
  return { svg, words };
}

/** Stroke width that widens outlines like strengthened masks: 1/24 px on the outer side, on average. */
const STRENGTH_PX = 1 / 12;

function shapeOf({ colour, path, ...part }: LayerPart & { readonly path: Path }): string {
  const strength = ` stroke="${toHex(colour)}" stroke-width="${Math.round(STRENGTH_PX * UNITS_PER_PX)}"`;
  const rule =
    (part.isHollow === true ? ' fill-rule="evenodd"' : "") + (part.isStrengthened === true ? strength : "");
  return `    <path fill="${toHex(colour)}"${rule} d="${pathData(path)}"/>`;
}

/** The pixels that paths touch; null if they draw nothing. */
function boxAround(paths: readonly Path[]): Box | null {
  const extents = paths.flatMap((path) => pathExtent(path) ?? []);
  if (extents.length === 0) return null;
  const x = Math.floor(Math.min(...extents.map(({ left }) => left)));
  const y = Math.floor(Math.min(...extents.map(({ top }) => top)));
  const width = Math.ceil(Math.max(...extents.map(({ right }) => right))) - x;
  return { x, y, width, height: Math.ceil(Math.max(...extents.map(({ bottom }) => bottom))) - y };
}

/** A path as the `d` of SVG, in relative coordinates. */
function pathData({ verbs, points }: Path): string {
  let at = 0;
  let from = { x: 0, y: 0 };
  let start = from;
  const point = (): { readonly x: number; readonly y: number } => {
    at += 2;
    const inUnits = (index: number) => Math.round((points[index] ?? 0) * UNITS_PER_PX);
    return { x: inUnits(at - 2), y: inUnits(at - 1) };
  };
  const step = (letter: string, count: number): string => {
    const to = Array.from({ length: count }, point);
    const numbers = to.flatMap(({ x, y }) => [x - from.x, y - from.y]).join(" ");
    from = to.at(-1) ?? from;
    if (letter === "m") start = from;
    return letter + numbers.replaceAll(" -", "-");
  };
  return Array.from(verbs, (verb) => {
    switch (verb) {
      case VERB.move:
        return step("m", 1);
      case VERB.line:
        return step("l", 1);
      case VERB.quad:
        return step("q", 2);
      case VERB.cubic:
        return step("c", 3);
      default:
        from = start;
        return "z";
    }
  }).join("");
}
