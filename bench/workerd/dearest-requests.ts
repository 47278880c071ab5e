import { cpuMsOf } from "../clock/process-figures.ts";

/** A request, and what it took. */
export interface MeasuredRequest {
  readonly route: string;
  readonly what: string;
  readonly cpuSeconds: number;
  /** What was paid; 0 for a free one. */
  readonly credits: number;
}

/** Keeps of each route and price the request that took the most CPU time of a process, for each credit. */
export interface Dearest {
  /** `what` is called afterwards, so that it can name how the request ended. */
  readonly measure: <T>(
    route: string,
    credits: number,
    run: () => Promise<{ readonly value: T; readonly what: string }>,
  ) => Promise<T>;
  readonly perRoute: () => readonly MeasuredRequest[];
}

const perCredit = ({ cpuSeconds, credits }: MeasuredRequest): number => cpuSeconds / Math.max(1, credits);

export function createDearest(pid: number): Dearest {
  const kept = new Map<string, MeasuredRequest>();
  return {
    measure: async (route, credits, run) => {
      const beforeMs = cpuMsOf(pid);
      const { value, what } = await run();
      const measured = { route, what, credits, cpuSeconds: (cpuMsOf(pid) - beforeMs) / 1_000 };
      const known = kept.get(route);
      if (known === undefined || perCredit(known) < perCredit(measured)) kept.set(route, measured);
      return value;
    },
    perRoute: () => [...kept.values()],
  };
}
