import type { Box, Face } from "../types.ts";
import type { Sighting } from "./sightings.ts";

/** A sighting as a face, in shares of a picture, cut at the picture's edges. */
export function faceOf({ face, head, logit }: Sighting, width: number, height: number): Face {
  return {
    box: inShares(face, width, height),
    head: inShares(head, width, height),
    score: shareOf(logit),
  };
}

function inShares(box: Box, width: number, height: number): Box {
  const left = within(box.x / width);
  const top = within(box.y / height);
  return {
    x: left,
    y: top,
    width: within((box.x + box.width) / width) - left,
    height: within((box.y + box.height) / height) - top,
  };
}

const within = (share: number): number => Math.min(1, Math.max(0, share));

/** 0 to 1, rising with the score, ½ at 0. The logistic function itself is not the same to the last bit in all engines. */
const shareOf = (logit: number): number => 0.5 + (0.5 * logit) / (1 + Math.abs(logit));
