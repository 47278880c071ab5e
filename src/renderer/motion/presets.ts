import type { MotionPreset } from "../look/index.ts";
import type { ElementRole } from "../types.ts";
import { eased, entranceShare, momentFrame } from "./timeline.ts";

/** How a text, button or badge is drawn in one frame. */
export interface Pose {
  /** Moved by whole pixels. */
  readonly shiftX: number;
  readonly shiftY: number;
  /** 0..255. */
  readonly opacity: number;
  /** Size against that at rest, about its middle. */
  readonly times: number;
  /** Share 0..1 of its width that is shown, from where reading starts. */
  readonly shown: number;
  /** The same of its first part alone: a button's fill, outline or rule. */
  readonly shapeShown: number;
}

const AT_REST: Pose = { shiftX: 0, shiftY: 0, opacity: 255, times: 1, shown: 1, shapeShown: 1 };

export const isAtRest = ({ shiftX, shiftY, opacity, times, shown, shapeShown }: Pose): boolean =>
  shiftX === 0 && shiftY === 0 && opacity === 255 && times === 1 && shown === 1 && shapeShown === 1;

/** How a look's elements come in, and what price and button do once all is there. */
interface Preset {
  /** The pose at a share 0..1 of the entrance. */
  readonly enter: (share: number, reachPx: number) => Pose;
  /** The poses of the moment, frame by frame. */
  readonly moment: readonly Pose[];
  /** Those of a button that is an outline or a rule. */
  readonly lineMoment?: readonly Pose[];
  /** Whether photos drift, where that fits the bytes. */
  readonly driftsPhotos: boolean;
  /** Where a cut-out or card starts, as shares of its size. */
  readonly heroFrom: { readonly x: number; readonly y: number };
}

const faded = (share: number): number => Math.round(255 * share);
const sized = (...times: readonly number[]): readonly Pose[] =>
  times.map((one) => ({ ...AT_REST, times: one }));

const PRESETS: Readonly<Record<MotionPreset, Preset>> = {
  /** Words rise and fade in one after the other. */
  rise: {
    enter: (share, reachPx) => ({
      ...AT_REST,
      shiftY: Math.round(reachPx * (1 - eased(share))),
      opacity: faded(eased(share)),
    }),
    moment: sized(1.08, 1.03),
    driftsPhotos: true,
    heroFrom: { x: 0, y: 0.07 },
  },
  /** Words are uncovered from where reading starts, at once opaque; price and button jump forward and back. */
  wipe: {
    enter: (share) => ({ ...AT_REST, shown: share }),
    moment: sized(1.12, 1),
    driftsPhotos: false,
    heroFrom: { x: 0.08, y: 0 },
  },
  /** Everything jumps in, past its size and back. */
  pop: {
    enter: (share) => ({
      ...AT_REST,
      times: share >= 1 ? 1 : share > 0.5 ? 1.1 : 0.72,
      opacity: share > 0.5 ? 255 : 190,
    }),
    moment: sized(1.14, 0.97),
    driftsPhotos: false,
    heroFrom: { x: 0, y: 0.1 },
  },
  /** Words appear where they stand; the line of the button is drawn anew. */
  fade: {
    enter: (share) => ({ ...AT_REST, opacity: faded(share) }),
    moment: sized(1.05, 1.02),
    lineMoment: [
      { ...AT_REST, shapeShown: 0.25 },
      { ...AT_REST, shapeShown: 0.7 },
    ],
    driftsPhotos: true,
    heroFrom: { x: 0, y: 0 },
  },
  /** Words come in from the side, a short way. */
  slide: {
    enter: (share, reachPx) => ({
      ...AT_REST,
      shiftX: -Math.round(reachPx * 1.6 * (1 - eased(share))),
      opacity: faded(eased(share)),
    }),
    moment: sized(1.04, 1.02),
    driftsPhotos: false,
    heroFrom: { x: 0.05, y: 0 },
  },
  /** The photo moves slowly under words that fade in; price and button grow by a hair. */
  drift: {
    enter: (share) => ({ ...AT_REST, opacity: faded(share) }),
    moment: sized(1.03, 1.015),
    driftsPhotos: true,
    heroFrom: { x: 0, y: 0.03 },
  },
};

export const presetOf = (name: MotionPreset): Preset => PRESETS[name];

/** Roles that have a moment; the headline has it where there is neither price nor button. */
export function momentRoles(roles: readonly ElementRole[]): readonly ElementRole[] {
  const asked = roles.filter((role) => role === "price" || role === "cta");
  return asked.length > 0 ? asked : roles.filter((role) => role === "headline");
}

/** The pose of a text, button or badge in a frame; null while it is not there. `reachPx` is how far words travel. */
export function poseAt(
  preset: Preset,
  role: ElementRole,
  frame: number,
  reachPx: number,
  moment: "none" | "words" | "line",
): Pose | null {
  const share = entranceShare(role, frame);
  if (share === 0) return null;
  if (share < 1) return preset.enter(share, reachPx);
  const at = moment === "none" ? null : momentFrame(role, frame);
  const poses = moment === "line" ? (preset.lineMoment ?? preset.moment) : preset.moment;
  return at === null ? AT_REST : (poses[at] ?? AT_REST);
}
