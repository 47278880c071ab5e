import type { TextLayer } from "../compose/draw-text.ts";
import type { Rgb } from "../raster/canvas.ts";
import { type Path, VERB } from "../vector/index.ts";

/** A path as the `d` of SVG, in hundredths of a pixel. */
export function pathData({ verbs, points }: Path): string {
  let at = 0;
  const next = (count: number): string => {
    const numbers = Array.from(points.subarray(at, at + count), (value) =>
      String(Math.round(value * 100) / 100),
    );
    at += count;
    return numbers.join(" ");
  };
  return Array.from(verbs, (verb) => {
    switch (verb) {
      case VERB.move:
        return `M${next(2)}`;
      case VERB.line:
        return `L${next(2)}`;
      case VERB.quad:
        return `Q${next(4)}`;
      case VERB.cubic:
        return `C${next(6)}`;
      default:
        return "Z";
    }
  }).join("");
}

export const hex = ({ r, g, b }: Rgb): string =>
  `#${[r, g, b].map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;

/** A text, button or badge as a group of shapes: `id` for the group, `id-part` for its parts. */
export function groupOf({ parts }: TextLayer, id: string): string {
  const shapes = parts.map(({ colour, outline, isHollow }, part) => {
    const rule = isHollow === true ? ' fill-rule="evenodd"' : "";
    return `<path id="${id}-${part}" fill="${hex(colour)}"${rule} d="${pathData(outline())}"/>`;
  });
  return `<g id="${id}">${shapes.join("")}</g>`;
}
