import {
  COORDINATES_MAX,
  EDGE_SIDES_MAX,
  STROKED_COORDINATES_MAX,
  STROKED_COORDINATES_PER_OUTLINE_MAX,
} from "#renderer/svg/limits.ts";
import { seededRandom } from "../../test/support/pictures.ts";

/** An SVG logo as dear as the limits let it be. Whether it is taken is the service's to say. */
export interface WorstLogo {
  readonly title: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const SIDE = 1_000;

/** A line to and fro across the whole picture: edges as long as they come, which cross one another everywhere. */
function tangle(points: number, random: () => number): string {
  const at = () => `${Math.round(random() * SIDE)} ${Math.round(random() * SIDE)}`;
  return `M${at()}L${Array.from({ length: points - 1 }, at).join(" ")}`;
}

const logo = (title: string, body: string): WorstLogo => ({
  title,
  bytes: Uint8Array.from(
    new TextEncoder().encode(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}">${body}</svg>`,
    ),
  ),
});

/** A line of short steps that winds about in the picture. */
function scribble(points: number, random: () => number): string {
  let [x, y] = [SIDE / 2, SIDE / 2];
  const step = (from: number) => Math.max(0, Math.min(SIDE, from + Math.round(random() * 40 - 20)));
  return `M${x} ${y}L${Array.from({ length: points - 1 }, () => {
    [x, y] = [step(x), step(y)];
    return `${x} ${y}`;
  }).join(" ")}`;
}

const STROKED = `fill="none" stroke="#036" stroke-width="80" stroke-linejoin="round" stroke-linecap="round"`;
/** Of a line between two points of a square, its sides added up. */
const MEAN_SIDES = 2 / 3;
/** What a stroke counts for; see svg/raster-cost.ts. */
const STROKE_EDGES = 5;
/** A little under each limit, so that the file is taken. */
const SHARE = 0.97;

/** Each family as near to its limit as it comes, and one beyond. */
export function worstLogos(): readonly WorstLogo[] {
  const random = seededRandom(12);
  const filled = Math.floor(Math.min(COORDINATES_MAX / 2, EDGE_SIDES_MAX / MEAN_SIDES) * SHARE);
  const strokedMax = Math.min(STROKED_COORDINATES_MAX, STROKED_COORDINATES_PER_OUTLINE_MAX) / 2;
  const stroked = Math.floor(Math.min(strokedMax, EDGE_SIDES_MAX / MEAN_SIDES / STROKE_EDGES) * SHARE);
  const short = Math.floor(strokedMax * SHARE);
  const path = (line: string, paint: string) => `<path d="${line}" ${paint}/>`;
  return [
    logo(`logo, ${filled} points all over it, filled`, path(tangle(filled, random), `fill="#036"`)),
    logo(`logo, ${stroked} points all over it, stroked`, path(tangle(stroked, random), STROKED)),
    logo(`logo, ${short} points close together, stroked`, path(scribble(short, random), STROKED)),
    logo("logo, 29,000 points all over it, stroked", path(tangle(29_000, random), STROKED)),
  ];
}
