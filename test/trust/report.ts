import type { TaskMeta } from "vitest";
import type { TrustFinding } from "../../scripts/trust/result.ts";

declare module "vitest" {
  interface TaskMeta {
    trust?: TrustFinding;
  }
}

const LOSSES = ["lost", "duplicated", "leaked", "hung"] as const;

/**
 * Hands what a test tried and found to the table of `npm run test:trust`. Call it before asserting that the
 * losses are 0, so that a failing run still shows them: `reportTrust(task, { counts: { jobs: 200 }, lost })`.
 * What a test hands over twice is summed.
 */
export function reportTrust(task: { meta: TaskMeta }, finding: TrustFinding): void {
  const earlier = task.meta.trust ?? {};
  const counts = { ...earlier.counts };
  for (const [what, count] of Object.entries(finding.counts ?? {})) {
    counts[what] = (counts[what] ?? 0) + count;
  }
  const losses = LOSSES.map((loss) => [loss, (earlier[loss] ?? 0) + (finding[loss] ?? 0)] as const);
  task.meta.trust = { counts, ...Object.fromEntries(losses) };
}
