import type { TaskMeta } from "vitest";
import type { StressFinding } from "../../scripts/test/stress/result.ts";

declare module "vitest" {
  interface TaskMeta {
    stress?: StressFinding;
  }
}

const LOSSES = ["lost", "duplicated", "leaked", "hung"] as const;

/**
 * Hands what a test tried and found to the table of `npm run test:stress`. Call it before asserting that the
 * losses are 0, so that a failing run still shows them: `reportStress(task, { counts: { jobs: 200 }, lost })`.
 * What a test hands over twice is summed.
 */
export function reportStress(task: { meta: TaskMeta }, finding: StressFinding): void {
  const earlier = task.meta.stress ?? {};
  const sumOf = (member: "counts" | "planned") => {
    const sums = { ...earlier[member] };
    for (const [what, count] of Object.entries(finding[member] ?? {})) sums[what] = (sums[what] ?? 0) + count;
    return sums;
  };
  const losses = LOSSES.map((loss) => [loss, (earlier[loss] ?? 0) + (finding[loss] ?? 0)] as const);
  task.meta.stress = { counts: sumOf("counts"), planned: sumOf("planned"), ...Object.fromEntries(losses) };
}
