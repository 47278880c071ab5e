import { describe, expect, it } from "vitest";
import type { LookId } from "#catalogue/looks.ts";
import { composeScene, flattenScene, type Scene } from "#renderer/compose/scene.ts";
import { driftsOf, framesOf } from "#renderer/motion/animate.ts";
import { TIMELINE } from "#renderer/motion/timeline.ts";
import { copyOf } from "#renderer/raster/canvas.ts";
import type { ElementRole, Family, Raster } from "#renderer/types.ts";
import { digest, FAMILY_ASSETS, prepared, sizeOf } from "./pack-fixtures.ts";

/**
 * Guarantee: the first frame of an animation, which feeds and networks show as a still, carries logo, headline and price;
 * the last is the static design, pixel for pixel; and between them something moves, in every look.
 */

const COPY = {
  headline: "Soft as the first warm day",
  subheadline: "Pressed cold in small batches.",
  cta: "Find yours",
  price: "€ 24.90",
};

/** Of the pixels that a text layer covers most, the share that looks the same in a frame as on the resting canvas. */
function shownShare(frame: Raster, rest: Raster, scene: Scene, role: ElementRole): number {
  const part = scene.textLayers.find((layer) => layer.role === role)?.parts.at(-1);
  if (part === undefined) throw new Error(`no ${role}`);
  const { mask } = part;
  const most = mask.coverage.reduce((found, coverage) => Math.max(found, coverage), 0);
  let covered = 0;
  let shown = 0;
  for (let at = 0; at < mask.coverage.length; at += 1) {
    if (mask.coverage[at] !== most) continue;
    covered += 1;
    const pixel = (mask.y + Math.floor(at / mask.width)) * rest.width + mask.x + (at % mask.width);
    const [r, g, b] = frame.pixels.subarray(pixel * 4);
    const [red, green, blue] = rest.pixels.subarray(pixel * 4);
    if (r === red && g === green && b === blue) shown += 1;
  }
  return shown / covered;
}

/** The tests of these looks and families. */
export function movesInLooks(looks: readonly LookId[], families: readonly Family[]): void {
  describe.each(looks)("an animation in the look %s", (look) => {
    it.each(families)("of a %s", async (family) => {
      const pack = await prepared({ assets: FAMILY_ASSETS[family], look, copy: COPY });
      const composed = composeScene(pack, { size: sizeOf(336, 280) }, true);
      if (!composed.ok) throw new Error(composed.message);
      const scene = composed.value;
      const rest = flattenScene({ ...scene, backdrop: copyOf(scene.backdrop) }, true);
      const draw = framesOf(scene, rest.hasBorder, driftsOf(pack, scene, "webp", null));
      const frames = Array.from({ length: TIMELINE.frames }, (_, frame) => digest(draw(frame).pixels));
      const shown = scene.textLayers.map(({ role }) => role);
      for (const role of shown.filter((one) => one === "headline" || one === "price")) {
        expect(shownShare(draw(0), rest.canvas, scene, role), role).toBe(1);
      }
      expect(shown).toContain("headline");
      expect(frames.at(-1)).toBe(digest(rest.canvas.pixels));
      expect(new Set(frames).size).toBeGreaterThanOrEqual(4);
      expect(digest(draw(5).pixels)).toBe(frames[5]);
      pack.close();
    });
  });
}
