import type { TaskMeta } from "vitest";
import type { StressFinding } from "../../scripts/test/stress/result.ts";

declare module "vitest" {
  interface TaskMeta {
    stress?: StressFinding[];
  }
}

/**
 * Hands what a test tried and found to the table of `npm run test:stress`. Call it before asserting that the
 * losses are 0, so that a failing run still shows them: `reportStress(task, { counts: { jobs: 200 }, lost })`.
 * The findings of all calls are summed.
 */
export function reportStress(task: { meta: TaskMeta }, finding: StressFinding): void {
  task.meta.stress = [...(task.meta.stress ?? []), finding];
}
