/** The animatable properties with their values at rest: `x` and `y` in canvas pixels, the others as fractions. */
export const AT_REST = { x: 0, y: 0, opacity: 1, scale: 1, reveal: 1 } as const;

export type Property = keyof typeof AT_REST;

/** How a layer is drawn at a given time: moved, faded, scaled about its centre, revealed from the start of its text. */
export type Pose = Readonly<Record<Property, number>>;

/** Values from which a layer moves to rest. */
export type Start = Readonly<Partial<Record<Property, number>>>;

/**
 * `out` slows down towards the end: 1 - (1 - t)³. `in-out` starts and ends slowly: 3 t² - 2 t³. `over` overshoots by a
 * tenth, as "back" of easings.net with its constant of 1.70158.
 */
export type Easing = "out" | "in-out" | "over";

/**
 * One change of one property of a layer. Before the first track of a property, the layer has that track's start value;
 * after the last track, its end value.
 */
export interface Track {
  readonly layer: string;
  readonly property: Property;
  readonly from: number;
  readonly to: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly easing: Easing;
}

/** An animation as data; every format is written from it. Tracks of one property of one layer do not overlap. */
export interface Timeline {
  readonly tracks: readonly Track[];
  /** Time in ms from which everything is at rest, as in the static design. */
  readonly endCardMs: number;
  /** Duration of one play in ms. */
  readonly durationMs: number;
}

/** One play: everything is at rest after 3 s, and stays at rest for 2 s. */
export const PLAY = { endCardMs: 3_000, durationMs: 5_000 } as const;

/**
 * A video plays once. It has fewer than 30 frames a second, as LinkedIn requires, and is longer than the minimum of any
 * network (5 s), so its end card is shown longer.
 */
export const VIDEO = { framesPerSecond: 25, durationMs: 6_000, frames: 150 } as const;

/** The pose of a layer at `ms`. */
export function poseAt({ tracks }: Timeline, layer: string, ms: number): Pose {
  const pose: Record<Property, number> = { ...AT_REST };
  const begun = new Set<Property>();
  for (const track of tracks) {
    if (track.layer !== layer || (begun.has(track.property) && ms < track.startMs)) continue;
    begun.add(track.property);
    pose[track.property] = valueAt(track, ms);
  }
  return pose;
}

function valueAt({ from, to, startMs, endMs, easing }: Track, ms: number): number {
  const share = Math.min(1, Math.max(0, (ms - startMs) / (endMs - startMs)));
  return from + (to - from) * eased(share, easing);
}

const OVER = 1.70158;

function eased(share: number, easing: Easing): number {
  const rest = 1 - share;
  switch (easing) {
    case "out":
      return 1 - rest * rest * rest;
    case "over":
      return 1 + rest * rest * (OVER - (OVER + 1) * rest);
    default:
      return share * share * (1 + 2 * rest);
  }
}

/** Combines the pose of a group with that of a part in it. */
export const posedWith = (group: Pose, part: Pose): Pose => ({
  x: group.x + part.x,
  y: group.y + part.y,
  opacity: group.opacity * part.opacity,
  scale: group.scale * part.scale,
  reveal: Math.min(group.reveal, part.reveal),
});

export const isAtRest = (pose: Pose): boolean =>
  pose.x === 0 && pose.y === 0 && pose.opacity === 1 && pose.scale === 1 && pose.reveal === 1;

/** GIF delays are in hundredths of a second. */
const GIF_TICK_MS = 10;

/** Times and durations of the frames, from the start to the end card, which is the last. */
export function framesAt(
  { endCardMs, durationMs }: Pick<Timeline, "endCardMs" | "durationMs">,
  framesPerSecondMax: number,
): readonly { readonly ms: number; readonly delayMs: number }[] {
  const stepMs = Math.ceil(1000 / framesPerSecondMax / GIF_TICK_MS) * GIF_TICK_MS;
  const moving = Math.ceil(endCardMs / stepMs);
  return Array.from({ length: moving + 1 }, (_, frame) => ({
    ms: frame * stepMs,
    delayMs: frame === moving ? durationMs - moving * stepMs : stepMs,
  }));
}

/** Maximum number of plays of an animation. */
const LOOPS = 3;

/** Number of plays of an animation within a size's limits, at least 1. */
export function loopsWithin(
  durationMs: number,
  rule: { readonly loopsMax: number; readonly durationMsMax: number },
): number {
  return Math.max(1, Math.min(LOOPS, rule.loopsMax, Math.floor(rule.durationMsMax / durationMs)));
}
