import { existsSync, readFileSync } from "node:fs";
import type { JsonTestResult, JsonTestResults } from "vitest/node";

/** Number of passed tests, and for each failure its location and the start of its message. */
export interface Summary {
  readonly passed: number;
  readonly failures: readonly string[];
}

const MESSAGE_LENGTH_MAX = 600;

const failureOf = (where: string, message: string): string =>
  `${where}\n  ${message.slice(0, MESSAGE_LENGTH_MAX).trimEnd().replaceAll("\n", "\n  ")}`;

/** Failed tests of a file. A file that fails before its first test counts as one failure. */
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

/** Tests in all JSON reports of vitest. A missing report counts as one failure. */
export function sumReports(paths: readonly string[]): Summary {
  const summaries = paths.map(summaryOf);
  return {
    passed: summaries.reduce((sum, { passed }) => sum + passed, 0),
    failures: summaries.flatMap(({ failures }) => failures),
  };
}

/** Lists the failures for the end of a long log; the last line has the counts. */
export const reportSummary = ({ passed, failures }: Summary): string =>
  [...failures.map((failure) => `FAILED ${failure}`), `${passed} passed, ${failures.length} failed`].join(
    "\n",
  );
