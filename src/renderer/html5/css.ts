import type { Easing, Pose, Timeline } from "../motion/timeline.ts";
import { isAtRest, poseAt } from "../motion/timeline.ts";
import type { Box } from "../types.ts";

/** Easings as CSS has them, exact: Bézier curves of the third degree with their ends in thirds. */
const EASINGS: Readonly<Record<Easing, string>> = {
  "in-out": "cubic-bezier(.3333,0,.6667,1)",
  out: "cubic-bezier(.3333,1,.6667,1)",
};

/**
 * The rule by which an element moves as a layer of a timeline does, and its keyframes; empty for a layer that never moves. `selector` and
 * `name` are the element's; `box` is its place, in pixels of what its styles count from: it scales about the middle.
 */
export function motionRules(
  timeline: Timeline,
  layer: string,
  selector: string,
  name: string,
  box: Box,
  plays: number,
  isFromRight: boolean,
): string {
  const tracks = timeline.tracks.filter((track) => track.layer === layer);
  if (tracks.length === 0) return "";
  const times = [...new Set([0, ...tracks.flatMap(({ startMs, endMs }) => [startMs, endMs])])].sort(
    (one, other) => one - other,
  );
  const frames = times.map((ms) => {
    const easing = tracks.find(({ startMs, endMs }) => startMs <= ms && ms < endMs)?.easing ?? "out";
    const timing = `animation-timing-function:${EASINGS[easing]}`;
    return `${short((ms / timeline.durationMs) * 100)}%{${stylesOf(poseAt(timeline, layer, ms), tracks, isFromRight)};${timing}}`;
  });
  const end = stylesOf(poseAt(timeline, layer, timeline.durationMs), tracks, isFromRight);
  const seconds = short(timeline.durationMs / 1000);
  const origin = `${short(box.x + box.width / 2)}px ${short(box.y + box.height / 2)}px`;
  return (
    `${selector}{transform-origin:${origin};animation:${name} ${seconds}s ${plays} both}` +
    `@keyframes ${name}{${frames.join("")}100%{${end}}}`
  );
}

/** The styles of a pose: those that the layer's tracks change. */
function stylesOf(pose: Pose, tracks: Timeline["tracks"], isFromRight: boolean): string {
  const changes = (...properties: readonly string[]) =>
    tracks.some(({ property }) => properties.includes(property));
  const styles: string[] = [];
  if (changes("x", "y", "scale")) {
    const { x, y, scale } = pose;
    styles.push(
      `transform:${isAtRest({ ...pose, opacity: 1, reveal: 1 }) ? "none" : `translate(${short(x)}px,${short(y)}px) scale(${short(scale)})`}`,
    );
  }
  if (changes("opacity")) styles.push(`opacity:${short(pose.opacity)}`);
  if (changes("reveal")) {
    const hidden = `${short((1 - pose.reveal) * 100)}%`;
    styles.push(`clip-path:inset(0 ${isFromRight ? `0 0 ${hidden}` : `${hidden} 0 0`})`);
  }
  return styles.join(";");
}

/** A number in as few characters as its third digit needs. */
export const short = (value: number): string => String(Math.round(value * 1000) / 1000);
