import { commonArea } from "#renderer/box-geometry.ts";
import type { Scene } from "#renderer/compose/scene.ts";
import type { Box } from "#renderer/index.ts";
import { areaOf, coversOf, heroOnCanvas, scrimOver } from "../support/hero-on-canvas.ts";

/** Damage of an output to its subject. `of` is the damaged fraction, or the scrim's opacity, 0..1. */
export interface Harm {
  readonly rule: "cut" | "covered";
  /** The element over the subject; `edge` if the subject is cut. */
  readonly by: string;
  readonly of: number;
}

/** Visible fraction of a subject from which it counts as whole. */
const WHOLE_MIN = 0.95;
/** Fraction of a subject's box that text may cover. The box's corners do not show the subject. */
const COVERED_MAX = 0.03;
/** Opacity from which a scrim over a subject changes its colours. */
const SCRIM_OPACITY_MAX = 0.25;

/**
 * Damage of one output to the subject of its hero photo, which is a box in pixels of the upright source. Null without a
 * hero photo.
 */
export function harmTo(subject: Box, scene: Scene): readonly Harm[] | null {
  const hero = heroOnCanvas(scene);
  if (hero === null) return null;
  const whole = hero.onCanvas(subject);
  const seen = hero.inSight(whole);
  const shareSeen = areaOf(seen) / areaOf(whole);
  const harm: Harm[] = shareSeen < WHOLE_MIN ? [{ rule: "cut", by: "edge", of: 1 - shareSeen }] : [];
  if (areaOf(seen) === 0) return harm;
  let most = { by: "", of: 0 };
  let covered = 0;
  for (const { by, box } of coversOf(scene)) {
    const of = commonArea(box, seen) / areaOf(whole);
    covered += of;
    if (of > most.of) most = { by, of };
  }
  if (covered > COVERED_MAX) harm.push({ rule: "covered", by: most.by, of: covered });
  const opacity = scrimOver(scene, seen);
  if (opacity > SCRIM_OPACITY_MAX) harm.push({ rule: "covered", by: "scrim", of: opacity });
  return harm;
}
