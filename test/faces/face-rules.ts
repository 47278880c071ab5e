import { commonArea } from "#renderer/box-geometry.ts";
import type { Scene } from "#renderer/compose/scene.ts";
import type { Box } from "#renderer/index.ts";
import { areaOf, coversOf, heroOnCanvas, scrimOver } from "../support/hero-on-canvas.ts";
import { type MarkedFace, type MarkedPicture, mustBeFound } from "./marked-pictures.ts";

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
  const hero = heroOnCanvas(scene);
  if (hero === null) return [];
  const seenOf = (face: MarkedFace): Box => hero.inSight(hero.onCanvas(face.box));
  const shareSeen = (face: MarkedFace): number => areaOf(seenOf(face)) / areaOf(hero.onCanvas(face.box));

  const real = picture.faces.filter(({ skin }) => skin !== null);
  const over = real
    .filter((face) => shareSeen(face) > HIDDEN_MAX)
    .flatMap((face) => coverOf(scene, face, seenOf(face)));
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
function coverOf(scene: Scene, face: MarkedFace, seen: Box): readonly Violation[] {
  const covered = coversOf(scene).flatMap(({ by, box }): readonly Violation[] => {
    const share = commonArea(box, seen) / areaOf(seen);
    return share > COVERED_MAX ? [{ rule: "covered", by, of: share, face }] : [];
  });
  const opacity = scrimOver(scene, seen);
  return opacity > VEILED_MAX ? [...covered, { rule: "veiled", by: "scrim", of: opacity, face }] : covered;
}
