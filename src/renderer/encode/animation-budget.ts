import { ANIMATION_WORK_PX_MAX } from "./limits.ts";

/** Budget of work for encoding an animation, in pixels instead of time, so that the same input yields the same file. */
export interface AnimationBudget {
  /** Marks the start of an attempt. */
  readonly begin: () => void;
  /** Counts work against the budget and the attempt. */
  readonly spend: (pixels: number) => void;
  /** Whether another attempt as large as the largest so far still fits. True before the first attempt. */
  readonly affords: () => boolean;
  /** A new budget of the remaining work, for another way to write the same animation. It has no attempts yet. */
  readonly rest: () => AnimationBudget;
}

export function createAnimationBudget(pixelsMax: number = ANIMATION_WORK_PX_MAX): AnimationBudget {
  let spent = 0;
  let attempt = 0;
  let largest = 0;
  return {
    begin: () => {
      attempt = 0;
    },
    spend: (pixels) => {
      spent += pixels;
      attempt += pixels;
      largest = Math.max(largest, attempt);
    },
    affords: () => spent + largest <= pixelsMax,
    rest: () => createAnimationBudget(Math.max(0, pixelsMax - spent)),
  };
}
