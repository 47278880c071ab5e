import { describe, expect, it } from "vitest";
import type { LookId } from "#catalogue/looks.ts";
import type { TextLayer } from "#renderer/compose/draw-text.ts";
import { composeScene, flattenScene } from "#renderer/compose/scene.ts";
import { movingPhotosOf, timelineOfScene } from "#renderer/motion/animate.ts";
import { partName } from "#renderer/motion/choreography.ts";
import { playOf } from "#renderer/motion/compose-animation.ts";
import { poseAt, posedWith } from "#renderer/motion/timeline.ts";
import { copyOf } from "#renderer/raster/canvas.ts";
import type { Family, Raster } from "#renderer/types.ts";
import { unwrap } from "../support/unwrap.ts";
import { digest, FAMILY_ASSETS, prepared, sizeOf } from "./pack-fixtures.ts";

/**
 * Guarantee, in every look: the first frame of an animation has logo, headline and price, because feeds and networks
 * show it as a still. The last frame is the static design, pixel for pixel. Between them, something moves.
 */

const COPY = {
  headline: "Soft as the first warm day",
  subheadline: "Pressed cold in small batches.",
  cta: "Find yours",
  price: "€ 24.90",
};

/**
 * Maximum difference of a text's pixel from the text's colour, summed over three channels. Not 0, because thin letters
 * have no fully covered pixel.
 */
const NEARLY = 120;

/** Counts pixels in the colour of a text, in its box shifted down by an offset. */
function inkedPixels(canvas: Raster, { role, box, parts }: TextLayer, down: number): number {
  const colour = parts[0]?.colour;
  if (colour === undefined) throw new Error(`no ${role}`);
  const [top, bottom] = [Math.floor(box.y + down), Math.ceil(box.y + box.height + down)];
  let inked = 0;
  for (let y = Math.max(0, top); y < Math.min(canvas.height, bottom); y += 1) {
    for (let x = Math.max(0, Math.floor(box.x)); x < Math.min(canvas.width, box.x + box.width); x += 1) {
      const [r, g, b] = canvas.pixels.subarray((y * canvas.width + x) * 4);
      const differs =
        Math.abs((r ?? 0) - colour.r) + Math.abs((g ?? 0) - colour.g) + Math.abs((b ?? 0) - colour.b);
      if (differs <= NEARLY) inked += 1;
    }
  }
  return inked;
}

export function movesInLooks(looks: readonly LookId[], families: readonly Family[]): void {
  describe.each(looks)("an animation in the look %s", (look) => {
    it.each(families)("of a %s", async (family) => {
      const pack = await prepared({ assets: FAMILY_ASSETS[family], look, copy: COPY });
      const scene = unwrap(composeScene(pack, { size: sizeOf(336, 280) }, true));
      const rest = flattenScene({ ...scene, backdrop: copyOf(scene.backdrop) }, true);
      const photos = movingPhotosOf(pack, scene);
      const timeline = timelineOfScene(scene, photos);
      const { draw, delaysMs } = playOf(scene, rest.hasBorder, sizeOf(336, 280), photos, "gif");
      const frames = delaysMs.map((_, frame) => digest(draw(frame).pixels));
      const shown = scene.textLayers.map(({ role }) => role);
      for (const layer of scene.textLayers.filter(({ role }) => role === "headline" || role === "price")) {
        const { y } = posedWith(
          poseAt(timeline, layer.role, 0),
          poseAt(timeline, partName(layer.role, 0), 0),
        );
        const share = inkedPixels(draw(0), layer, y) / inkedPixels(rest.canvas, layer, 0);
        expect(share, layer.role).toBeGreaterThan(0.8);
      }
      expect(shown).toContain("headline");
      for (const { endMs } of timeline.tracks) expect(endMs).toBeLessThanOrEqual(timeline.endCardMs);
      expect(frames.at(-1)).toBe(digest(rest.canvas.pixels));
      expect(new Set(frames).size).toBeGreaterThanOrEqual(4);
      expect(digest(draw(5).pixels)).toBe(frames[5]);
      pack.close();
    });
  });
}
