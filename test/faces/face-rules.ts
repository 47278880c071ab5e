import { paintScrims } from "#renderer/compose/paint-scrims.ts";
import type { Scene } from "#renderer/compose/scene.ts";
import type { Box, Raster } from "#renderer/index.ts";
import { photoBoxOf } from "#renderer/layout/design/design.ts";
import { sharedArea } from "./match-faces.ts";
import { type MarkedFace, type MarkedPicture, mustBeFound } from "./pictures/index.ts";

/** What an output does to a face; `of` is how much, 0..1. */
export interface Violation {
  readonly rule: "covered" | "veiled" | "cut" | "out of sight";
  /** What lies over the face; the picture's edge for what is cut or out of sight. */
  readonly by: string;
  readonly of: number;
  /** Null for what is out of sight: no face is in sight then. */
  readonly face: MarkedFace | null;
}

/** A box around a face has corners without face: so much of it may lie under words. */
const COVERED_MAX = 0.03;
/** A scrim this dense over a face looks like fog. */
const VEILED_MAX = 0.35;
/** Shares of a face in sight: below the first it is not shown, from the second on it is whole. */
const HIDDEN_MAX = 0.04;
const WHOLE_MIN = 0.97;
/** A face at least this share as high as the picture's highest belongs to those that the picture is of. */
const LEADING_SHARE_MIN = 0.5;

/**
 * What one output does to the marked faces of its hero: words, logo, button, badge or card on a face, a dense scrim over
 * one, a leading face cut by the picture's edge, or none of them in sight.
 */
export function violationsOf(scene: Scene, picture: MarkedPicture): readonly Violation[] {
  const at = scene.arrangement.design.pictures.findIndex(({ role }) => role === "hero");
  const [layer, placed] = [scene.pictures[at], scene.arrangement.design.pictures[at]];
  if (layer === undefined || placed === undefined) return [];
  const { crop } = layer;
  // Where a photo's background goes on beyond it, there is no face.
  const frame = photoBoxOf(placed);
  const { width, height } = scene.brief;
  const seenIn = overlap(frame, { x: 0, y: 0, width, height });
  const onCanvas = ({ box }: MarkedFace): Box => {
    const [across, down] = [frame.width / crop.shown.width, frame.height / crop.shown.height];
    return {
      x: frame.x + (box.x - crop.shown.x) * across,
      y: frame.y + (box.y - crop.shown.y) * down,
      width: box.width * across,
      height: box.height * down,
    };
  };
  const shareSeen = (face: MarkedFace): number => sharedArea(onCanvas(face), seenIn) / areaOf(onCanvas(face));

  const real = picture.faces.filter(({ skin }) => skin !== null);
  const over = real
    .filter((face) => shareSeen(face) > HIDDEN_MAX)
    .flatMap((face) => coversOf(scene, face, overlap(onCanvas(face), seenIn)));
  const leading = leadingFaces(picture);
  const cut = leading
    .filter((face) => shareSeen(face) > HIDDEN_MAX && shareSeen(face) < WHOLE_MIN)
    .map((face): Violation => ({ rule: "cut", by: "edge", of: 1 - shareSeen(face), face }));
  const isOutOfSight = leading.length > 0 && leading.every((face) => shareSeen(face) < WHOLE_MIN);
  const lost: readonly Violation[] = isOutOfSight && cut.length === 0 ? [OUT_OF_SIGHT] : [];
  return [...over, ...cut, ...lost];
}

const OUT_OF_SIGHT: Violation = { rule: "out of sight", by: "edge", of: 1, face: null };

/** The faces that must be found and that are not much smaller than the largest of them. */
function leadingFaces(picture: MarkedPicture): readonly MarkedFace[] {
  const wanted = picture.faces.filter((face) => mustBeFound(picture, face));
  const highest = Math.max(0, ...wanted.map(({ box }) => box.height));
  return wanted.filter(({ box }) => box.height >= LEADING_SHARE_MIN * highest);
}

/** `seen` is where the face is in sight on the canvas. */
function coversOf(scene: Scene, face: MarkedFace, seen: Box): readonly Violation[] {
  const { texts, logo, button, badge, textCard } = scene.arrangement.design;
  const over: readonly (readonly [by: string, box: Box | null | undefined])[] = [
    ...texts.map(({ role, ink }) => [role, ink] as const),
    ["logo", logo],
    ["button", button?.box],
    ["badge", badge?.box],
    ["card", textCard?.box],
  ];
  const covered = over.flatMap(([by, box]): readonly Violation[] => {
    const share = box == null ? 0 : sharedArea(box, seen) / areaOf(seen);
    return share > COVERED_MAX ? [{ rule: "covered", by, of: share, face }] : [];
  });
  const opacity = scrimOver(scene, seen);
  return opacity > VEILED_MAX ? [...covered, { rule: "veiled", by: "scrim", of: opacity, face }] : covered;
}

/** Mean opacity of the scrims over an area, 0..1: that of white scrims painted on black. */
function scrimOver({ brief, arrangement, scrims }: Scene, area: Box): number {
  const isUnder = arrangement.design.scrimsOver === "background";
  if (isUnder || scrims.every(({ scrim }) => sharedArea(scrim.box, area) === 0)) return 0;
  const within = rounded(area);
  const black: Raster = {
    width: brief.width,
    height: brief.height,
    pixels: new Uint8ClampedArray(brief.width * brief.height * 4),
    alpha: "opaque",
  };
  const white = { r: 255, g: 255, b: 255 };
  paintScrims(
    black,
    scrims.map((painted) => ({ ...painted, colour: white })),
    within,
  );
  let sum = 0;
  for (let row = within.y; row < within.y + within.height; row += 1) {
    for (let column = within.x; column < within.x + within.width; column += 1) {
      sum += black.pixels[(row * brief.width + column) * 4] ?? 0;
    }
  }
  return sum / (255 * Math.max(1, areaOf(within)));
}

const areaOf = ({ width, height }: Box): number => width * height;

function rounded({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.floor(x + width) - left, height: Math.floor(y + height) - top };
}

function overlap(one: Box, other: Box): Box {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)];
  const right = Math.min(one.x + one.width, other.x + other.width);
  const bottom = Math.min(one.y + one.height, other.y + other.height);
  return { x, y, width: Math.max(0, right - x), height: Math.max(0, bottom - y) };
}
