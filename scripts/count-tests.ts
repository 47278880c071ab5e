/** Prints `N passed, N failed` from vitest's JSON report; fails unless some test ran and none failed. */
import { existsSync, readFileSync } from "node:fs";

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** A file that breaks before its first test has nothing but its own status, and counts as one failure. */
function countBrokenFiles({ testResults }: Report): number {
  return testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  ).length;
}

const path = process.argv[2] ?? "";
const report: Report | null = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
if (report === null) console.log("The tests left no report: they did not run to their end.");
const passed = report?.numPassedTests ?? 0;
const failed = report === null ? 1 : report.numFailedTests + countBrokenFiles(report);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
