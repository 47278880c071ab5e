import type { Easing, Pose, Timeline } from "../motion/timeline.ts";
import { isAtRest, poseAt } from "../motion/timeline.ts";

/** Easings as CSS has them, exact: Bézier curves of the third degree with their ends in thirds. */
const EASINGS: Readonly<Record<Easing, string>> = {
  "in-out": "cubic-bezier(.3333, 0, .6667, 1)",
  out: "cubic-bezier(.3333, 1, .6667, 1)",
  over: "cubic-bezier(.3333, 1.5672, .6667, 1)",
};

/** An element of a page that moves as a layer of a timeline does. */
export interface MovingElement {
  readonly id: string;
  readonly layer: string;
  /** About which it scales, in pixels from its top left. */
  readonly middle: { readonly x: number; readonly y: number };
}

/** The rules by which an element moves, a line each; none for a layer that never moves. */
export function motionRules(
  timeline: Timeline,
  { id, layer, middle }: MovingElement,
  isFromRight: boolean,
): readonly string[] {
  const tracks = timeline.tracks.filter((track) => track.layer === layer);
  if (tracks.length === 0) return [];
  const times = [0, timeline.durationMs, ...tracks.flatMap(({ startMs, endMs }) => [startMs, endMs])];
  const frames = [...new Set(times)]
    .sort((one, other) => one - other)
    .map((ms) => {
      const easing = tracks.find(({ startMs, endMs }) => startMs <= ms && ms < endMs)?.easing;
      const styles = stylesOf(poseAt(timeline, layer, ms), tracks, isFromRight);
      const timing = easing === undefined ? [] : [`animation-timing-function: ${EASINGS[easing]}`];
      return `  ${short((ms / timeline.durationMs) * 100)}% { ${[...styles, ...timing].join("; ")} }`;
    });
  const isScaled = tracks.some(({ property }) => property === "scale");
  const origin = isScaled ? `transform-origin: ${short(middle.x)}px ${short(middle.y)}px; ` : "";
  return [`#${id} { ${origin}animation-name: ${id} }`, `@keyframes ${id} {`, ...frames, "}"];
}

/** The styles of a pose: those that the layer's tracks change. */
function stylesOf(pose: Pose, tracks: Timeline["tracks"], isFromRight: boolean): readonly string[] {
  const { x, y, scale, opacity, reveal } = pose;
  const changes = (...properties: readonly string[]) =>
    tracks.some(({ property }) => properties.includes(property));
  const moves = [
    ...(changes("x", "y") ? [`translate(${short(x)}px, ${short(y)}px)`] : []),
    ...(changes("scale") ? [`scale(${short(scale)})`] : []),
  ];
  const isInPlace = isAtRest({ ...pose, opacity: 1, reveal: 1 });
  const hidden = `${short((1 - reveal) * 100)}%`;
  return [
    ...(moves.length === 0 ? [] : [`transform: ${isInPlace ? "none" : moves.join(" ")}`]),
    ...(changes("opacity") ? [`opacity: ${short(opacity)}`] : []),
    ...(changes("reveal") ? [`clip-path: inset(0 ${isFromRight ? `0 0 ${hidden}` : `${hidden} 0 0`})`] : []),
  ];
}

/** A number in as few characters as its third digit needs. */
export const short = (value: number): string => String(Math.round(value * 1000) / 1000);
