import type { Shape } from "#renderer/types.ts";

/** The shape of a canvas, by its aspect first, then by how much room a line of text has. */
export function shapeOf(width: number, height: number): Shape {
  const aspect = width / height;
  if (aspect >= 1.8 && (height < 40 || (height <= 70 && width <= 420))) return "tiny_strip";
  if (aspect >= 6 || (aspect >= 4.6 && height <= 130) || (aspect >= 2.4 && height < 90)) return "banner";
  if (aspect >= 2.4) return "leaderboard";
  if (aspect >= 1.3) return "landscape";
  if (aspect > 0.82) return "square";
  if (aspect <= 0.5) return "skyscraper";
  return aspect <= 0.6 && width >= 540 ? "story" : "portrait";
}

/** Shapes whose elements stand in one row. */
export const isRow = (shape: Shape): boolean => shape === "tiny_strip" || shape === "banner";
