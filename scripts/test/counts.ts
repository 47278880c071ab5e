import { existsSync, readFileSync } from "node:fs";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** What is read of a report of vitest's JSON reporter. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/** A file that breaks before its first test has nothing but its own status, and counts as one failure. */
const countBrokenFiles = ({ testResults }: Report): number =>
  testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  ).length;

/** The tests of all reports. A report that is not there did not run to its end, and counts as one failure. */
export function sumReports(paths: readonly string[]): Counts {
  let passed = 0;
  let failed = 0;
  for (const path of paths) {
    if (!existsSync(path)) {
      failed += 1;
      continue;
    }
    const report: Report = JSON.parse(readFileSync(path, "utf8"));
    passed += report.numPassedTests;
    failed += report.numFailedTests + countBrokenFiles(report);
  }
  return { passed, failed };
}

export const reportLine = ({ passed, failed }: Counts): string => `${passed} passed, ${failed} failed`;
