import { STEPS_BASE, STEPS_PER_BYTE } from "./limits.ts";

/**
 * Counts the steps of reading one SVG and stops at a limit. A step is a character read (each time it is read), an
 * element visited, or a rule tried. So the count is the same on every machine, and time is proportional to it.
 */
export class WorkBudget {
  readonly max: number;
  taken = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** Throws WorkBudgetExceeded past the limit, from any depth; `sanitiseSvg` catches it. */
  take(count = 1): void {
    this.taken += count;
    if (this.taken > this.max) throw new WorkBudgetExceeded();
  }
}

export class WorkBudgetExceeded extends Error {
  override readonly name = "WorkBudgetExceeded";
}

/** The budget of a file of this many bytes. */
export const workBudgetFor = (byteLength: number): WorkBudget =>
  new WorkBudget(STEPS_BASE + STEPS_PER_BYTE * byteLength);
