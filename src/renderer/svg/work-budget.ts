import { STEPS_BASE, STEPS_PER_BYTE } from "./limits.ts";

/**
 * Counts the work of reading one SVG and ends it at a bound. A step is a character that a scanner passes (again when
 * it passes it again), an element that is visited, or a rule that is tried; so the count is the same on every
 * machine, and time is in proportion to it.
 */
export class WorkBudget {
  readonly max: number;
  taken = 0;

  constructor(max: number) {
    this.max = max;
  }

  /** Throws WorkBudgetExceeded past the bound: it ends the reading at whatever depth it is, and `sanitiseSvg` answers it. */
  take(count = 1): void {
    this.taken += count;
    if (this.taken > this.max) throw new WorkBudgetExceeded();
  }
}

export class WorkBudgetExceeded extends Error {
  override readonly name = "WorkBudgetExceeded";
}

/** What a file of so many bytes may take. */
export const workBudgetFor = (byteLength: number): WorkBudget =>
  new WorkBudget(STEPS_BASE + STEPS_PER_BYTE * byteLength);
