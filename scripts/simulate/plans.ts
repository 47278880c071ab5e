/**
 * What happens to a pack, as lists of steps. A step begins after a delay, in which nobody is kept busy, and is then served
 * where it says; the next step's delay counts from its end.
 */
export interface Step {
  readonly delayMs: number;
  /** Who serves: the shard of the workspace, a thread that all share, or an isolate of its own, which is always free. */
  readonly place: "shard" | "thread" | "isolate";
  /** Mean of the time it takes; drawn anew each time. */
  readonly serviceMs: number;
  /** Coefficient of variation of that time; 0 for a constant. */
  readonly variation: number;
}

/** The life of one pack. */
export interface PackPlans {
  /** From the request to its answer. */
  readonly request: readonly Step[];
  /** From the answer until the messages are in the queue. */
  readonly dispatch: readonly Step[];
  /** A message each: from a consumer's start to its end. */
  readonly messages: readonly (readonly Step[])[];
  /** In the last message of a pack, after its own steps. */
  readonly ending: readonly Step[];
  /** Time between the end of one message and the start of the next one that waits for a consumer. */
  readonly handoverMs: number;
  /** What a poll takes of the shard. */
  readonly pollMs: number;
  readonly pollEveryMs: number;
  /** What is read of the shard once the pack is there: its manifest, its links. */
  readonly readMs: number;
}

/** Time until a plan's end, were nobody else there. */
export const lengthOf = (steps: readonly Step[]): number =>
  steps.reduce((sum, { delayMs, serviceMs }) => sum + delayMs + serviceMs, 0);

/** Time that the steps take of one kind of place. */
export const serviceAt = (place: Step["place"], steps: readonly Step[]): number =>
  steps.reduce((sum, step) => (step.place === place ? sum + step.serviceMs : sum), 0);

const isConstant = ({ place, variation }: Step): boolean => place === "isolate" && variation === 0;

/** The same steps in fewer: what takes a constant time and keeps nobody busy is part of the delay of what follows. */
export function joined(steps: readonly Step[]): readonly Step[] {
  const kept: Step[] = [];
  let delayMs = 0;
  for (const step of steps) {
    delayMs += step.delayMs;
    if (isConstant(step)) {
      delayMs += step.serviceMs;
      continue;
    }
    kept.push({ ...step, delayMs });
    delayMs = 0;
  }
  return delayMs === 0 ? kept : [...kept, { delayMs, place: "isolate", serviceMs: 0, variation: 0 }];
}
