import type { Box, Face } from "../types.ts";
import type { QuarterTurns } from "./look.ts";
import type { Sighting } from "./sightings.ts";

interface Margins {
  readonly above: number;
  readonly beside: number;
  readonly below: number;
}

/** The network's box is a square from the brow to the mouth; marked faces reach from the hair to the chin. */
const FACE: Margins = { above: 0.11, beside: -0.04, below: 0.05 };
/** Hair above the brow, ears and hair at the sides, and the chin, in edges of the network's box. */
const HEAD: Margins = { above: 0.6, beside: 0.2, below: 0.2 };

/** The face of a sighting in shares of a picture, cut at the picture's edges. */
export function faceOf({ box, logit, turns }: Sighting, width: number, height: number): Face {
  const face = grown(box, turns, FACE);
  const head = grown(box, turns, HEAD);
  return { box: inShares(face, width, height), head: inShares(head, width, height), score: shareOf(logit) };
}

/**
 * A box with more above, at both sides and below, in shares of its height and width; above is where the top of the head
 * is in a picture that had to be turned clockwise to be upright.
 */
function grown({ x, y, width, height }: Box, turns: QuarterTurns, margins: Margins): Box {
  const { above, beside, below } = margins;
  const top = { 0: above, 1: beside, 2: below, 3: beside }[turns];
  const right = { 0: beside, 1: below, 2: beside, 3: above }[turns];
  const bottom = { 0: below, 1: beside, 2: above, 3: beside }[turns];
  const left = { 0: beside, 1: above, 2: beside, 3: below }[turns];
  return {
    x: x - left * width,
    y: y - top * height,
    width: width * (1 + left + right),
    height: height * (1 + top + bottom),
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
