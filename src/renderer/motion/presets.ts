import type { MotionPreset } from "../look/index.ts";
import type { Easing, Property } from "./timeline.ts";

/** Values that a layer starts from on its way to rest; `x` and `y` are in reaches. */
type Start = Readonly<Partial<Record<Property, number>>>;

/** How a look's elements move. */
export interface Preset {
  /** From where lines, badge and button come in. */
  readonly enter: Start;
  readonly easing: Easing;
  /** How far past its size an element grows on its way in; 1 is not at all. */
  readonly overshoot: number;
  /** From where the headline's lines settle, which are to be read from the first frame. */
  readonly settle: Start;
  /** To what size price and button grow for a moment. */
  readonly moment: number;
  /** Whether the line of a button that is an outline or a rule is drawn once more instead. */
  readonly redrawsLine: boolean;
  readonly movesPhotos: boolean;
  /** Where a cut-out or card starts, as shares of its size. */
  readonly heroFrom: { readonly x: number; readonly y: number };
}

const PLAIN: Pick<Preset, "easing" | "overshoot" | "redrawsLine" | "movesPhotos"> = {
  easing: "out",
  overshoot: 1,
  redrawsLine: false,
  movesPhotos: false,
};

const PRESETS: Readonly<Record<MotionPreset, Preset>> = {
  /** Words rise and fade in line by line. */
  rise: {
    ...PLAIN,
    enter: { y: 1, opacity: 0 },
    settle: { y: 0.4 },
    moment: 1.08,
    movesPhotos: true,
    heroFrom: { x: 0, y: 0.07 },
  },
  /** Words are uncovered from where reading starts, at once opaque. */
  wipe: {
    ...PLAIN,
    enter: { reveal: 0 },
    easing: "linear",
    settle: { x: -0.8 },
    moment: 1.12,
    heroFrom: { x: 0.08, y: 0 },
  },
  /** Everything jumps in, past its size and back. */
  pop: {
    ...PLAIN,
    enter: { scale: 0.72, opacity: 0 },
    overshoot: 1.1,
    settle: { scale: 0.94 },
    moment: 1.14,
    heroFrom: { x: 0, y: 0.1 },
  },
  /** Words appear in their place; a button's line is drawn. */
  fade: {
    ...PLAIN,
    enter: { opacity: 0 },
    easing: "linear",
    settle: {},
    moment: 1.05,
    redrawsLine: true,
    movesPhotos: true,
    heroFrom: { x: 0, y: 0 },
  },
  /** Words come in from the side, a short way. */
  slide: {
    ...PLAIN,
    enter: { x: -1.6, opacity: 0 },
    settle: { x: -0.6 },
    moment: 1.04,
    heroFrom: { x: 0.05, y: 0 },
  },
  /** The photo moves slowly under words that fade in. */
  drift: {
    ...PLAIN,
    enter: { opacity: 0 },
    easing: "linear",
    settle: {},
    moment: 1.03,
    movesPhotos: true,
    heroFrom: { x: 0, y: 0.03 },
  },
};

export const presetOf = (name: MotionPreset): Preset => PRESETS[name];
