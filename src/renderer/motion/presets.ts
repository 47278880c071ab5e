import type { MotionPreset } from "../look/index.ts";
import type { Start } from "./timeline.ts";

/** How a look's elements move; `x` and `y` of a start are in reaches. */
export interface Preset {
  /** From where the lines of subheadline and disclaimer come in. */
  readonly enter: Start;
  /** From where badge and button come in. */
  readonly land: Start;
  /** How long a line, badge or button takes. */
  readonly entranceMs: number;
  /** From where the lines of headline and price settle, which are to be read from the first frame: straight up or down, so that they stay aligned. */
  readonly settle: Start;
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
const CALM = { moment: 1, drawsLine: false, photoMs: 3_000, entranceMs: 750 };
const QUICK = { drawsLine: false, photoMs: 1_500, entranceMs: 500 };

const PRESETS: Readonly<Record<MotionPreset, Preset>> = {
  /** Words rise and fade in line by line. */
  rise: {
    ...CALM,
    enter: { y: 0.8, opacity: 0 },
    land: { y: 0.8, opacity: 0 },
    entranceMs: 500,
    settle: { y: 0.4 },
    moment: 1.04,
    object: { y: 0.8 },
  },
  /** Words are uncovered from where reading starts, at once opaque. */
  wipe: {
    ...QUICK,
    enter: { reveal: 0 },
    land: { reveal: 0 },
    settle: { y: 0.4 },
    moment: 1.05,
    object: { x: 1.2 },
  },
  /** Words rise a little, badge and button grow into their place. */
  pop: {
    ...QUICK,
    enter: { y: 0.8, opacity: 0 },
    land: { scale: 0.7, opacity: 0 },
    settle: { y: 0.5 },
    moment: 1.06,
    object: { y: 1.2 },
  },
  /** Words rise a little, badge and button come down like a stamp. */
  stamp: {
    ...QUICK,
    enter: { y: 0.8, opacity: 0 },
    land: { scale: 1.25, opacity: 0 },
    entranceMs: 375,
    settle: { y: 0.5 },
    moment: 1.06,
    object: { y: 1.2 },
  },
  /** Words appear in their place; a button's line is drawn. */
  fade: {
    ...CALM,
    enter: { opacity: 0 },
    land: { opacity: 0 },
    settle: { y: 0.3 },
    drawsLine: true,
    object: {},
  },
  /** Words come in from the side, a short way. */
  slide: {
    ...CALM,
    enter: { x: -0.6, opacity: 0 },
    land: { x: -0.6, opacity: 0 },
    settle: { y: 0.3 },
    object: { x: 0.8 },
  },
  /** Words fade in over a photo that comes closer slowly. */
  drift: { ...CALM, enter: { opacity: 0 }, land: { opacity: 0 }, settle: { y: 0.3 }, object: { y: 0.5 } },
};

export const presetOf = (name: MotionPreset): Preset => PRESETS[name];
