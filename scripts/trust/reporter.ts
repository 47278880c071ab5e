import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { failedPath, resultPath } from "./paths.ts";
import { sumFindings, type TrustFinding } from "./result.ts";

declare module "vitest" {
  interface TaskMeta {
    /** See `reportTrust` in test/trust/report.ts. */
    trust?: TrustFinding;
  }
}

/**
 * Gathers what tests report, in whichever runtime they run, into the file of the part that TRUST_PART names.
 * Without that variable it does nothing.
 */
export default class TrustReporter implements Reporter {
  /** Noted at once: a part that is ended for want of time tells nothing any more. */
  onTestCaseResult(test: TestCase): void {
    const part = process.env.TRUST_PART;
    if (part === undefined || test.result().state !== "failed") return;
    const path = failedPath(part);
    mkdirSync(new URL(".", path), { recursive: true });
    appendFileSync(path, `${test.module.moduleId} > ${test.fullName}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const part = process.env.TRUST_PART;
    if (part === undefined) return;
    const findings = modules
      .flatMap((module) => [...module.children.allTests()])
      .flatMap((test) => test.meta().trust ?? []);
    const path = resultPath(part);
    mkdirSync(new URL(".", path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(sumFindings(part, findings), null, 2)}\n`);
  }
}
