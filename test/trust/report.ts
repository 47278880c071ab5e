import type { TaskMeta } from "vitest";
import type { TrustFinding } from "../../scripts/trust/result.ts";

declare module "vitest" {
  interface TaskMeta {
    trust?: TrustFinding;
  }
}

/**
 * Hands what a test tried and found to the table of `npm run test:trust`. Call it before asserting that the
 * losses are 0, so that a failing run still shows them: `reportTrust(task, { counts: { jobs: 200 }, lost })`.
 */
export function reportTrust(task: { meta: TaskMeta }, finding: TrustFinding): void {
  task.meta.trust = finding;
}
