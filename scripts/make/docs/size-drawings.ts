/** Outlines of sizes with their safe areas, as SVG files in docs/guides/sizes/. */
import type { Size } from "#catalogue/types.ts";

/** Longest edge of an outline in SVG units. */
const EDGE = 84;
/** Minimum edge, which keeps very narrow sizes visible. */
const EDGE_MIN = 6;

/** The site removes this style and colours the same classes in its own style sheet. */
const STYLE = `<style>.canvas{fill:#f2f0e9;stroke:#8a8f86}.safe{fill:#e3efe7;stroke:#17623b;stroke-dasharray:4 3}@media (prefers-color-scheme:dark){.canvas{fill:#1a221e;stroke:#6b7a72}.safe{fill:#1b3327;stroke:#7fd1a1}}</style>`;

const round = (value: number): number => Math.round(value * 10) / 10;

const rectangle = (name: string, x: number, y: number, width: number, height: number): string =>
  `<rect class="${name}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="1"/>`;

/** Draws a size: its canvas, and inside it the area that no network covers. */
export function drawSize({ width, height, safeArea }: Size): string {
  const scale = EDGE / Math.max(width, height);
  const [drawnWidth, drawnHeight] = [width, height].map((edge) => Math.max(EDGE_MIN, edge * scale));
  if (drawnWidth === undefined || drawnHeight === undefined) throw new Error("a size has two edges");
  const safe =
    safeArea === null
      ? ""
      : rectangle(
          "safe",
          1 + safeArea.left * scale,
          1 + safeArea.top * scale,
          (width - safeArea.left - safeArea.right) * scale,
          (height - safeArea.top - safeArea.bottom) * scale,
        );
  const [outerWidth, outerHeight] = [round(drawnWidth + 2), round(drawnHeight + 2)];
  return `<svg xmlns="http://www.w3.org/2000/svg" class="size" width="${outerWidth}" height="${outerHeight}" viewBox="0 0 ${outerWidth} ${outerHeight}">${STYLE}${rectangle("canvas", 1, 1, drawnWidth, drawnHeight)}${safe}</svg>\n`;
}
