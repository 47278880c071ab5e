import { existsSync, readFileSync } from "node:fs";
import type { JsonTestResult, JsonTestResults } from "vitest/node";

/** How many tests passed, and of each failure where it is and the beginning of its message. */
export interface Summary {
  readonly passed: number;
  readonly failures: readonly string[];
}

const MESSAGE_LENGTH_MAX = 600;

const failureOf = (where: string, message: string): string =>
  `${where}\n  ${message.slice(0, MESSAGE_LENGTH_MAX).trimEnd().replaceAll("\n", "\n  ")}`;

/** The failed tests of a file. A file that breaks before its first test has only its own status: that is one failure. */
function failuresOf({ name, status, message, assertionResults }: JsonTestResult): readonly string[] {
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (failed.length === 0 && status === "failed") return [failureOf(name, message)];
  return failed.map((test) =>
    failureOf(`${name} > ${test.fullName}`, (test.failureMessages ?? []).join("\n")),
  );
}

function summaryOf(path: string): Summary {
  if (!existsSync(path)) return { passed: 0, failures: [`${path}\n  no report: the run did not finish`] };
  const report: JsonTestResults = JSON.parse(readFileSync(path, "utf8"));
  return { passed: report.numPassedTests, failures: report.testResults.flatMap(failuresOf) };
}

/** The tests of all reports of vitest's JSON reporter. A missing report counts as one failure. */
export function sumReports(paths: readonly string[]): Summary {
  const summaries = paths.map(summaryOf);
  return {
    passed: summaries.reduce((sum, { passed }) => sum + passed, 0),
    failures: summaries.flatMap(({ failures }) => failures),
  };
}

/** The failures, to be read at the end of a long log, and the counts in the last line. */
export const reportSummary = ({ passed, failures }: Summary): string =>
  [...failures.map((failure) => `FAILED ${failure}`), `${passed} passed, ${failures.length} failed`].join(
    "\n",
  );
