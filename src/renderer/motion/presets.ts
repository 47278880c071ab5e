import type { MotionPreset } from "../look/index.ts";
import type { Easing, Start } from "./timeline.ts";

/** How a look's elements move; `x` and `y` of a start are in reaches. */
export interface Preset {
  /** From where the lines of subheadline and disclaimer come in. */
  readonly enter: Start;
  /** From where badge and button come in. */
  readonly land: Start;
  /** How badge and button come to rest. */
  readonly landing: Easing;
  /** How long a line, badge or button takes. */
  readonly entranceMs: number;
  /** From where the lines of headline and price settle, which are to be read from the first frame: straight up or down, so that they stay aligned. */
  readonly settle: Start;
  /** How long they and cut-outs take. */
  readonly settleMs: number;
  /** To what size price and button grow for a moment; 1 is not at all. */
  readonly moment: number;
  /** Whether the line of a button that is an outline or a rule is drawn instead. */
  readonly drawsLine: boolean;
  /** How long a photo takes to come closer. */
  readonly photoMs: number;
  /** Where a cut-out or card starts; a positive `x` is towards the nearer side of the canvas. */
  readonly object: Start;
}

/** Calm looks take their time and have no moments, energetic ones are soon in place. */
const CALM = {
  moment: 1,
  drawsLine: true,
  landing: "out",
  photoMs: 3_000,
  entranceMs: 750,
  settleMs: 1_000,
} as const;
const QUICK = { drawsLine: false, photoMs: 1_500, entranceMs: 500, settleMs: 750 };
/** Words rise a little, badge and button go beyond their place and back. */
const BOUNCING = {
  ...QUICK,
  enter: { y: 0.8, opacity: 0 },
  landing: "over",
  settle: { y: 0.7 },
  moment: 1.07,
  object: { y: 1.2 },
} as const;

const PRESETS: Readonly<Record<MotionPreset, Preset>> = {
  /** Words rise and fade in line by line. */
  rise: {
    ...CALM,
    ...{ drawsLine: false, entranceMs: 500, settleMs: 750, moment: 1.05 },
    enter: { y: 0.8, opacity: 0 },
    land: { y: 0.8, opacity: 0 },
    settle: { y: 0.6 },
    object: { y: 0.8 },
  },
  /** Words are uncovered from where reading starts, at once opaque. */
  wipe: {
    ...QUICK,
    enter: { reveal: 0 },
    land: { reveal: 0 },
    landing: "out",
    settle: { y: 0.6 },
    moment: 1.06,
    object: { x: 1.2 },
  },
  /** Badge and button grow into their place and a little beyond it. */
  pop: { ...BOUNCING, land: { scale: 0.5, opacity: 0 } },
  /** Badge and button come down like a stamp. */
  stamp: { ...BOUNCING, land: { scale: 1.4, opacity: 0 } },
  /** Words appear in their place. */
  fade: {
    ...CALM,
    enter: { opacity: 0 },
    land: { opacity: 0 },
    settle: { y: 0.5 },
    object: { y: 0.5 },
  },
  /** Words come in from where reading ends. */
  slide: {
    ...CALM,
    enter: { x: 1.4, opacity: 0 },
    land: { x: 1.4, opacity: 0 },
    settle: { y: 0.5 },
    object: { x: 1 },
  },
  /** Words rise slowly over a photo that moves slowly. */
  drift: {
    ...CALM,
    enter: { y: 0.6, opacity: 0 },
    land: { opacity: 0 },
    entranceMs: 1_000,
    settle: { y: 0.6 },
    object: { y: 0.7 },
  },
};

export const presetOf = (name: MotionPreset): Preset => PRESETS[name];
