import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { failedPath, resultPath } from "./paths.ts";
import { type StressFinding, sumFindings } from "./result.ts";

declare module "vitest" {
  interface TaskMeta {
    /** See `reportStress` in test/stress/report.ts. */
    stress?: StressFinding;
  }
}

/**
 * Gathers what tests report, in whichever runtime they run, into the file of the part that STRESS_PART names.
 * Without that variable it does nothing.
 */
export default class StressReporter implements Reporter {
  /** Noted at once: a part that is ended for want of time tells nothing any more. */
  onTestCaseResult(test: TestCase): void {
    const part = process.env.STRESS_PART;
    if (part === undefined || test.result().state !== "failed") return;
    const path = failedPath(part);
    mkdirSync(new URL(".", path), { recursive: true });
    appendFileSync(path, `${test.module.moduleId} > ${test.fullName}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const part = process.env.STRESS_PART;
    if (part === undefined) return;
    const findings = modules
      .flatMap((module) => [...module.children.allTests()])
      .flatMap((test) => test.meta().stress ?? []);
    const path = resultPath(part);
    mkdirSync(new URL(".", path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(sumFindings(part, findings), null, 2)}\n`);
  }
}
