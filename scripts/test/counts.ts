import { existsSync, readFileSync } from "node:fs";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** What the reports of a run say: its counts, and of each failure where it is and the beginning of what it said. */
export interface Summary extends Counts {
  readonly failures: readonly string[];
}

interface TestOfReport {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages: readonly string[];
}

interface FileOfReport {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly TestOfReport[];
}

/** What is read of a report of vitest's JSON reporter. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly FileOfReport[];
}

const MESSAGE_LENGTH_MAX = 600;

const failureOf = (where: string, message: string): string =>
  `${where}\n  ${message.slice(0, MESSAGE_LENGTH_MAX).trimEnd().replaceAll("\n", "\n  ")}`;

/** The failed tests of a file. One that breaks before its first test has nothing but its own status: that is one failure. */
function failuresOf({ name, status, message, assertionResults }: FileOfReport): readonly string[] {
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (failed.length === 0 && status === "failed") return [failureOf(name, message)];
  return failed.map((test) => failureOf(`${name} > ${test.fullName}`, test.failureMessages.join("\n")));
}

function summaryOf(path: string): Summary {
  if (!existsSync(path)) {
    return { passed: 0, failed: 1, failures: [`${path}\n  no report: the run did not come to its end`] };
  }
  const report: Report = JSON.parse(readFileSync(path, "utf8"));
  const failures = report.testResults.flatMap(failuresOf);
  return { passed: report.numPassedTests, failed: failures.length, failures };
}

export const addSummaries = (summaries: readonly Summary[]): Summary => ({
  passed: summaries.reduce((sum, { passed }) => sum + passed, 0),
  failed: summaries.reduce((sum, { failed }) => sum + failed, 0),
  failures: summaries.flatMap(({ failures }) => failures),
});

/** The tests of all reports. A report that is not there counts as one failure. */
export const sumReports = (paths: readonly string[]): Summary => addSummaries(paths.map(summaryOf));

/** What failed, to be read at the end of a long log, and the counts in the last line. */
export const reportSummary = ({ passed, failed, failures }: Summary): string =>
  [...failures.map((failure) => `FAILED ${failure}`), `${passed} passed, ${failed} failed`].join("\n");
