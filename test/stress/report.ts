import type { TaskMeta } from "vitest";
import type { StressFinding } from "../../scripts/test/stress/result.ts";

declare module "vitest" {
  interface TaskMeta {
    stress?: StressFinding[];
  }
}

/**
 * Adds a test's finding to the table of `npm run test:stress`; findings of all calls are summed. Call it before
 * asserting that the losses are 0, so that a failing run shows them: `reportStress(task, { counts: { jobs: 200 }, lost
 * })`.
 */
export function reportStress(task: { meta: TaskMeta }, finding: StressFinding): void {
  task.meta.stress = [...(task.meta.stress ?? []), finding];
}
