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

/** Whether photos that fill their places show everything that is guarded in them. */
export function keepsGuarded(brief: Brief, pictures: readonly PlacedPicture[]): boolean {
  return pictures.every(({ role, box, free, fill }) => {
    const guarded = (role === "hero" ? brief.hero : brief.secondaryHero)?.guarded ?? [];
    if (fill === "cut_out" || guarded.length === 0) return true;
    const { shown } = brief.cropOf(role, box.width, box.height, free);
    return guarded.every(({ whole }) => holds(shown, whole));
  });
}
