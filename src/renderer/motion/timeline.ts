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

/**
 * Frame in which an element starts to come in; the others are there from the first frame, which feeds and networks show
 * as a still: it carries logo, headline and price.
 */
const ENTERS_AT: Partial<Record<ElementRole, number>> = {
  subheadline: 1,
  badge: 2,
  cta: 3,
  disclaimer: 4,
};

/** Frame in which an element has its moment, once all is there. */
const MOMENT_AT: Partial<Record<ElementRole, number>> = { price: 6, headline: 6, cta: 8 };
/** Frames of a moment. */
const MOMENT_FRAMES = 2;

export const delaysMs = (): readonly number[] =>
  Array.from({ length: TIMELINE.frames }, (_, frame) =>
    frame === TIMELINE.frames - 1 ? TIMELINE.holdMs : TIMELINE.stepMs,
  );

/** How often an animation plays within a size's limits: at least once, at most the default above. */
export function loopsWithin(rule: { readonly loopsMax: number; readonly durationMsMax: number }): number {
  const playMs = delaysMs().reduce((sum, delay) => sum + delay, 0);
  return Math.max(1, Math.min(TIMELINE.loops, rule.loopsMax, Math.floor(rule.durationMsMax / playMs)));
}

/** Share of an element's entrance in a frame, in even steps: 0 is not yet there, 1 at rest. */
export function entranceShare(role: ElementRole, frame: number): number {
  const start = ENTERS_AT[role];
  return start === undefined ? 1 : stepsIn(frame, start, ENTRANCE_FRAMES);
}

/** How far a cut-out or card has come to its place; it is visible from the first frame. */
export const settledAt = (frame: number): number => eased(stepsIn(frame, 0, ENTRANCE_FRAMES));

/** Which frame of its moment an element is in, from 0; null outside it. */
export function momentFrame(role: ElementRole, frame: number): number | null {
  const at = frame - (MOMENT_AT[role] ?? Number.NEGATIVE_INFINITY);
  return at >= 0 && at < MOMENT_FRAMES ? at : null;
}

const stepsIn = (frame: number, start: number, steps: number): number =>
  Math.min(1, Math.max(0, (frame - start + 1) / steps));

/** Slows down towards the end (ease-out). */
export function eased(share: number): number {
  const rest = 1 - share;
  return 1 - rest * rest * rest;
}

/** How far a drift has gone in a frame, 0 to 1, at an even speed. */
export const driftAt = (frame: number): number => frame / (TIMELINE.frames - 1);
