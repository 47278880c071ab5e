import { bestScored } from "#renderer/best-scored.ts";
import type { Box } from "#renderer/types.ts";
import { inset, WHOLE } from "../design/boxes.ts";
import { type Brief, type Design, headlineScore } from "../design/design.ts";
import { coverRegion } from "../pictures/place-pictures.ts";
import { nearestLength, wholeLengths } from "../pictures/whole-subject-range.ts";
import { signedPanel } from "../words/text-panel.ts";
import { STORY_AIR } from "./product-under-words.ts";

/** Shares of the canvas's height that the photo may take, the best first. */
const PHOTO_SHARES = [0.56, 0.5, 0.44, 0.38];
/** A higher photo leaves its words no room: it is shown narrower than the canvas. */
const PHOTO_SHARE_MAX = 0.6;
/** Words over a low photo have room to be this much larger. */
const TYPE_TIMES = 1.2;

/** A story's words in one stack at its head and the photo under them, from edge to edge down to the canvas's foot. */
export function storyPanel(brief: Brief): Design | null {
  const { height, scale, safe } = brief;
  const content = inset(safe, scale.marginPx, scale.marginPx * STORY_AIR);
  const larger = { ...brief, scale: { ...scale, headlinePxMax: scale.headlinePxMax * TYPE_TIMES } };
  const found = PHOTO_SHARES.flatMap((share) => {
    const room = roomAtFoot(brief, height * share);
    if (room === null) return [];
    const region = { ...content, height: room.y - scale.marginPx - content.y };
    const request = { stand: "middle", disclaimerAt: "words", fillMax: 1 } as const;
    const panel = signedPanel(larger, region, request);
    if (panel === null) return [];
    const seen = Math.min(1, (safe.y + safe.height - room.y) / room.height);
    const pictures = coverRegion(brief, room, { ...WHOLE, height: seen });
    const design: Design = { surface: "flat", pictures, scrims: [], scrimsOver: "pictures", ...panel };
    return [{ design, worth: headlineScore(panel) * Math.sqrt(room.width * room.height) }];
  });
  return bestScored(found, ({ worth }) => worth)?.design ?? null;
}

/** Where the photos lie at the canvas's foot with their subjects whole, about as high as wanted. */
function roomAtFoot(brief: Brief, wantedPx: number): Box | null {
  const { width, height } = brief;
  const long = nearestLength(wholeLengths(brief, "down", width), wantedPx);
  if (long !== null && long <= height * PHOTO_SHARE_MAX)
    return { x: 0, y: height - long, width, height: long };
  const high = Math.round(wantedPx);
  const wide = nearestLength(wholeLengths(brief, "across", high), width);
  if (wide === null || wide > width) return null;
  return { x: Math.round((width - wide) / 2), y: height - high, width: wide, height: high };
}
