import type { Box } from "../types.ts";
import { shownPart } from "./draw-picture.ts";
import type { PreparedPack } from "./prepared-pack.ts";
import type { Scene } from "./scene.ts";

/** Where the heads of a scene's pictures are, in pixels of the canvas. */
export function headsOnCanvas(pack: PreparedPack, { arrangement, brief }: Scene): readonly Box[] {
  return arrangement.design.pictures.flatMap((placed): readonly Box[] => {
    const picture = placed.role === "hero" ? pack.hero : pack.secondaryHero;
    if (picture === null) return [];
    const shown = shownPart(picture, placed);
    const { base } = picture.pyramid;
    const drawn = placed.box;
    return picture.faces.flatMap(({ head }): readonly Box[] => {
      const left = drawn.x + ((head.x * base.width - shown.x) / shown.width) * drawn.width;
      const top = drawn.y + ((head.y * base.height - shown.y) / shown.height) * drawn.height;
      const right = left + ((head.width * base.width) / shown.width) * drawn.width;
      const bottom = top + ((head.height * base.height) / shown.height) * drawn.height;
      const x = Math.max(0, Math.floor(left));
      const y = Math.max(0, Math.floor(top));
      const width = Math.min(brief.width, Math.ceil(right)) - x;
      const height = Math.min(brief.height, Math.ceil(bottom)) - y;
      return width > 0 && height > 0 ? [{ x, y, width, height }] : [];
    });
  });
}
