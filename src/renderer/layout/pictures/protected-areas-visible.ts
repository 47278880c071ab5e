import type { Box } from "#renderer/types.ts";
import type { Brief, PlacedPicture } from "../design/design.ts";

/** Shares of a picture are sums of shares: they have an error. */
const SLACK = 1e-6;

/** Whether a box (shares) has another whole inside it. */
export const holds = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x - SLACK &&
  inner.y >= outer.y - SLACK &&
  inner.x + inner.width <= outer.x + outer.width + SLACK &&
  inner.y + inner.height <= outer.y + outer.height + SLACK;

/** Whether photos that fill their places show all their protected areas. */
export function showsProtectedAreas(brief: Brief, pictures: readonly PlacedPicture[]): boolean {
  return pictures.every(({ role, box, free, fill }) => {
    const protectedAreas = (role === "hero" ? brief.hero : brief.secondaryHero)?.protectedAreas ?? [];
    if (fill === "cut_out" || protectedAreas.length === 0) return true;
    const { shown } = brief.cropOf(role, box.width, box.height, free);
    return protectedAreas.every(({ whole }) => holds(shown, whole));
  });
}
