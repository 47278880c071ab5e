import { FRAMES_MIN } from "./limits.ts";

/** A frame to show: which of the animation's, and for how long. */
export interface PlannedFrame {
  readonly index: number;
  readonly delayMs: number;
}

/**
 * Ways to show an animation with ever fewer frames: all, every second, every fourth and so on. The first and
 * the last frame always stay, and so does the time at which each kept one appears.
 */
export function framePlans(delaysMs: readonly number[]): readonly (readonly PlannedFrame[])[] {
  const plans: PlannedFrame[][] = [];
  for (let step = 1; ; step *= 2) {
    const kept = delaysMs
      .map((_, index) => index)
      .filter((index) => index % step === 0 || index === delaysMs.length - 1);
    if (step > 1 && kept.length < Math.min(FRAMES_MIN, delaysMs.length)) break;
    plans.push(
      kept.map((index, position) => ({
        index,
        delayMs: delaysMs
          .slice(index, kept[position + 1] ?? delaysMs.length)
          .reduce((sum, delay) => sum + delay, 0),
      })),
    );
    if (kept.length <= FRAMES_MIN) break;
  }
  return plans;
}
