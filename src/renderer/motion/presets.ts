import type { MotionPreset } from "../look/index.ts";
import type { Easing, Start } from "./timeline.ts";

/** How a look's elements move. `x` and `y` of a start are multiples of `reachPx` (`timelineOf`). */
export interface Preset {
  /** Start of the lines of subheadline and disclaimer. */
  readonly enter: Start;
  /** Start of badge and button. */
  readonly land: Start;
  /** Easing of badge and button. */
  readonly landing: Easing;
  /** Duration for a line, badge or button. */
  readonly entranceMs: number;
  /**
   * Start of the lines of headline and price, which are legible from the first frame: directly above or below, so that
   * they stay aligned.
   */
  readonly settle: Start;
  /** Duration of settling, and of the motion of cut-outs and cards. */
  readonly settleMs: number;
  /** Scale of the emphasis on price and button; 1 for no emphasis. */
  readonly moment: number;
  /** Whether the line of an outline or rule button is gradually drawn, in place of emphasising the button. */
  readonly drawsLine: boolean;
  /** Duration of a photo's motion. */
  readonly photoMs: number;
  /** Start of a cut-out or card; a positive `x` is towards the nearer side of the canvas. */
  readonly object: Start;
}

/** Calm looks move slowly without emphasis, energetic ones quickly. */
const CALM = {
  moment: 1,
  drawsLine: true,
  landing: "out",
  photoMs: 3_000,
  entranceMs: 750,
  settleMs: 1_000,
} as const;
const QUICK = { drawsLine: false, photoMs: 1_500, entranceMs: 500, settleMs: 750 };
/** Text rises a little, badge and button overshoot. */
const BOUNCING = {
  ...QUICK,
  enter: { y: 0.8, opacity: 0 },
  landing: "over",
  settle: { y: 0.7 },
  moment: 1.07,
  object: { y: 1.2 },
} as const;

const PRESETS: Readonly<Record<MotionPreset, Preset>> = {
  /** Text rises and fades in line by line. */
  rise: {
    ...CALM,
    ...{ drawsLine: false, entranceMs: 500, settleMs: 750, moment: 1.05 },
    enter: { y: 0.8, opacity: 0 },
    land: { y: 0.8, opacity: 0 },
    settle: { y: 0.6 },
    object: { y: 0.8 },
  },
  /** Text is revealed from its start, fully opaque. */
  wipe: {
    ...QUICK,
    enter: { reveal: 0 },
    land: { reveal: 0 },
    landing: "out",
    settle: { y: 0.6 },
    moment: 1.06,
    object: { x: 1.2 },
  },
  /** Badge and button grow into their place and overshoot. */
  pop: { ...BOUNCING, land: { scale: 0.5, opacity: 0 } },
  /** Badge and button come down like a stamp. */
  stamp: { ...BOUNCING, land: { scale: 1.4, opacity: 0 } },
  /** Text fades in without moving. */
  fade: {
    ...CALM,
    enter: { opacity: 0 },
    land: { opacity: 0 },
    settle: { y: 0.5 },
    object: { y: 0.5 },
  },
  /** Text slides in from its end. */
  slide: {
    ...CALM,
    enter: { x: 1.4, opacity: 0 },
    land: { x: 1.4, opacity: 0 },
    settle: { y: 0.5 },
    object: { x: 1 },
  },
  /** Text rises slowly over a photo that moves slowly. */
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
