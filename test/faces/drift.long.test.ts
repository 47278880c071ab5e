import { describe, expect, it } from "vitest";
import { composeScene, releaseScene, type Scene } from "#renderer/compose/scene.ts";
import type { Box } from "#renderer/index.ts";
import { keptBoxes, movingPhotosOf, pictureName, timelineOfScene } from "#renderer/motion/animate.ts";
import { partName } from "#renderer/motion/choreography.ts";
import { poseAt, posedWith, type Timeline } from "#renderer/motion/timeline.ts";
import { catalogueSize, inputsOf, withPack } from "../support/renderer.ts";
import { assetOf, pictureNamed } from "./marked-pictures.ts";
import { COPIES, RULE_SIZES } from "./rule-cases.ts";

/**
 * Guarantee: if a head is whole and clear of text, logo and button when a moving photo comes to rest, it is also whole
 * and clear from the first frame on, and no moving text crosses it.
 */

/** The text of these looks rises, slides and grows. */
const LOOKS = ["classic", "minimal", "playful"] as const;
const PICTURES = ["demo/sample3.jpg", "examples/studio-1.jpg", "examples/mariya-georgieva.jpg"];

const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
const isIn = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x - 1 &&
  inner.y >= outer.y - 1 &&
  inner.x + inner.width <= outer.x + outer.width + 1 &&
  inner.y + inner.height <= outer.y + outer.height + 1;

/** The position of a box when the motion starts, given its position in the resting photo. */
function whenPosed(inner: Box, box: Box, { scale, x, y }: { scale: number; x: number; y: number }): Box {
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
  return {
    x: middleX + (inner.x - middleX) * scale + x,
    y: middleY + (inner.y - middleY) * scale + y,
    width: inner.width * scale,
    height: inner.height * scale,
  };
}

/** For each text, every 100 ms, its current box and its box at rest. */
const wordsOnTheirWay = ({ textLayers }: Scene, timeline: Timeline) =>
  Array.from({ length: 31 }, (_, tenth) => tenth * 100).flatMap((ms) =>
    textLayers.flatMap(({ role, box, parts }) =>
      parts.map((_, part) => {
        const pose = posedWith(poseAt(timeline, role, ms), poseAt(timeline, partName(role, part), ms));
        return { ms, rest: box, now: whenPosed(box, box, pose) };
      }),
    ),
  );

describe("a photo that moves", () => {
  it.each(PICTURES.flatMap((name) => LOOKS.map((look) => ({ name, look }))))(
    "keeps heads whole and clear of text in $name, look $look",
    async ({ name, look }) => {
      let drifting = 0;
      const damaged: string[] = [];
      const media = assetOf(pictureNamed(name));
      await withPack(inputsOf({ assets: { media }, copy: COPIES.long, look }), async (pack) => {
        for (const sizeId of RULE_SIZES) {
          const composed = composeScene(pack, { size: catalogueSize(sizeId), variant: 1 });
          if (!composed.ok) continue;
          const { arrangement } = composed.value;
          const { texts, button, logo, pictures } = arrangement.design;
          const covers = [...texts.map(({ ink }) => ink), button?.box, logo].flatMap((box) =>
            box == null ? [] : [box],
          );
          const photos = movingPhotosOf(pack, composed.value);
          const timeline = timelineOfScene(composed.value, photos);
          const crossed = wordsOnTheirWay(composed.value, timeline);
          photos.forEach((photo, at) => {
            const placed = pictures[at];
            if (photo === null || placed === undefined) return;
            drifting += 1;
            const { whole, bare } = keptBoxes(composed.value, placed);
            for (const head of whole)
              if (isIn(head, placed.box) && !isIn(whenPosed(head, placed.box, photo.start), placed.box))
                damaged.push(`${sizeId}: cut`);
            for (const head of bare) {
              const first = whenPosed(head, placed.box, photo.start);
              if (covers.some((box) => overlaps(first, box) && !overlaps(head, box)))
                damaged.push(`${sizeId}: covered`);
              for (const { ms, rest, now } of crossed) {
                const there = whenPosed(head, placed.box, poseAt(timeline, pictureName(at), ms));
                if (overlaps(now, there) && !overlaps(rest, head)) damaged.push(`${sizeId}: crossed`);
              }
            }
          });
          releaseScene(composed.value);
        }
      });
      expect(damaged).toEqual([]);
      expect(drifting).toBeGreaterThan(0);
    },
  );
});
