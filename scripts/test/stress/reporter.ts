import { appendFileSync, writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { type StressFinding, stressFile, sumFindings } from "./result.ts";

declare module "vitest" {
  interface TaskMeta {
    /** See `reportStress` in test/stress/report.ts. */
    stress?: StressFinding[];
  }
}

/** Adds up the reports that the tests of one part of `npm run test:stress` write, in Node.js and in workerd. */
export default class StressReporter implements Reporter {
  readonly #part = process.env.STRESS_PART ?? "none";

  /** Written immediately, because a part that exceeds its time is killed. */
  onTestCaseResult(test: TestCase): void {
    if (test.result().state !== "failed") return;
    appendFileSync(stressFile(this.#part, "failed"), `${test.module.moduleId} > ${test.fullName}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const findings = modules
      .flatMap((module) => [...module.children.allTests()])
      .flatMap((test) => test.meta().stress ?? []);
    writeFileSync(stressFile(this.#part, "json"), `${JSON.stringify(sumFindings(findings), null, 2)}\n`);
  }
}
