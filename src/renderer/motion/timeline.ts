import type { ElementRole } from "../types.ts";

/** Calm motion that every display network accepts: 4 frames a second, 5 s a play, 3 plays, 15 s in all. */
export const TIMELINE = {
  stepMs: 250,
  frames: 12,
  /** The last frame is the design at rest, held long enough to be read. */
  holdMs: 2_250,
  loops: 3,
} as const;

/** Frames over which a text or a cut-out comes in. */
const ENTRANCE_FRAMES = 3;

/** Frame in which each element starts to come in. The logo holds from the first frame to the last. */
const ENTERS_AT: Readonly<Record<ElementRole, number>> = {
  background: 0,
  logo: 0,
  hero: 0,
  secondary_hero: 1,
  headline: 1,
  subheadline: 3,
  price: 3,
  old_price: 3,
  badge: 4,
  cta: 5,
  disclaimer: 6,
};

export const delaysMs = (): readonly number[] =>
  Array.from({ length: TIMELINE.frames }, (_, frame) =>
    frame === TIMELINE.frames - 1 ? TIMELINE.holdMs : TIMELINE.stepMs,
  );

/** How often an animation plays within a size's limits: at least once, at most the default above. */
export function loopsWithin(rule: { readonly loopsMax: number; readonly durationMsMax: number }): number {
  const playMs = delaysMs().reduce((sum, delay) => sum + delay, 0);
  return Math.max(1, Math.min(TIMELINE.loops, rule.loopsMax, Math.floor(rule.durationMsMax / playMs)));
}

/** How far an element has entered in a frame: 0 is not yet, 1 at rest; it slows down towards the end (ease-out). */
export function entranceAt(role: ElementRole, frame: number): number {
  const share = Math.min(1, Math.max(0, (frame - ENTERS_AT[role] + 1) / ENTRANCE_FRAMES));
  const rest = 1 - share;
  return 1 - rest * rest * rest;
}

/** How far a drift has gone in a frame, 0 to 1, at an even speed. */
export const driftAt = (frame: number): number => frame / (TIMELINE.frames - 1);
