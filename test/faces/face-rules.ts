import { commonArea } from "#renderer/box-geometry.ts";
import type { Scene } from "#renderer/compose/scene.ts";
import type { Box } from "#renderer/index.ts";
import { areaOf, coversOf, heroOnCanvas, scrimOver } from "../support/hero-on-canvas.ts";
import { type MarkedFace, type MarkedPicture, mustBeFound } from "./marked-pictures.ts";

/** Damage of an output to a face. `of` is the damaged fraction, or the scrim's opacity, 0..1. */
export interface Violation {
  readonly rule: "covered" | "veiled" | "cut" | "out of sight";
  /** The element over the face; `edge` if the picture's edge cuts or hides it. */
  readonly by: string;
  readonly of: number;
  /** Null if no face is in sight. */
  readonly face: MarkedFace | null;
}

/** Fraction of a face's box that text may cover. The box's corners do not show the face. */
const COVERED_MAX = 0.03;
/** Opacity from which a scrim over a face looks like fog. */
const VEILED_MAX = 0.35;
/** Visible fractions of a face. Up to `HIDDEN_MAX` a face counts as hidden, from `WHOLE_MIN` on as whole. */
const HIDDEN_MAX = 0.04;
const WHOLE_MIN = 0.97;
/** Minimum height of a leading face, relative to the picture's tallest face. */
const LEADING_SHARE_MIN = 0.5;

/**
 * All damage of one output to the marked faces of its hero picture: text, logo, button, badge or card on a face; a
 * dense scrim over one; a leading face cut by the picture's edge; no leading face in sight.
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

/** The required faces that are at least half as tall as the tallest of them. */
function leadingFaces(picture: MarkedPicture): readonly MarkedFace[] {
  const wanted = picture.faces.filter((face) => mustBeFound(picture, face));
  const highest = Math.max(0, ...wanted.map(({ box }) => box.height));
  return wanted.filter(({ box }) => box.height >= LEADING_SHARE_MIN * highest);
}

/** `seen` is the visible part of the face on the canvas. */
function coverOf(scene: Scene, face: MarkedFace, seen: Box): readonly Violation[] {
  const covered = coversOf(scene).flatMap(({ by, box }): readonly Violation[] => {
    const share = commonArea(box, seen) / areaOf(seen);
    return share > COVERED_MAX ? [{ rule: "covered", by, of: share, face }] : [];
  });
  const opacity = scrimOver(scene, seen);
  return opacity > VEILED_MAX ? [...covered, { rule: "veiled", by: "scrim", of: opacity, face }] : covered;
}
