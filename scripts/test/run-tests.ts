/** Runs the tests: npm test [-- vitest arguments]; --long for the long tests, --all for both. */
import { rm } from "node:fs/promises";
import { runScript } from "../local/failure.ts";
import { memoryFolder } from "../local/memory-folder.ts";
import { inRoot } from "../local/paths.ts";
import { makeAssets } from "../make/assets.ts";
import { reportSummary, sumReports } from "./counts.ts";
import { LANES, type TestGroup, type TestPart } from "./parts.ts";
import { heldOutput, runVitest } from "./vitest-process.ts";

/** Whether files or projects were selected; a selection is small and runs in one process. */
const isChoice = (parameters: readonly string[]): boolean =>
  parameters.some((parameter) => !parameter.startsWith("-") || parameter.startsWith("--project"));

const reportPath = (part: TestPart, { name }: TestGroup): string =>
  inRoot(`.cache/test-report-${part}-${name}.json`);

const reportsOf = (part: TestPart): readonly string[] =>
  LANES[part].flat().map((group) => reportPath(part, group));

/** The first non-zero code. */
const firstFailure = (codes: readonly number[]): number => codes.find((code) => code !== 0) ?? 0;

/** Runs a lane's groups sequentially, even after a failure. Resolves to its exit code. */
async function runLane(
  part: TestPart,
  groups: readonly TestGroup[],
  parameters: readonly string[],
  write?: (text: string) => void,
): Promise<number> {
  const memory = await memoryFolder();
  const codes: number[] = [];
  for (const group of groups) {
    const reporters = [
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${reportPath(part, group)}`,
    ];
    const temporary = group.isInMemory && memory !== null ? { TMPDIR: memory } : {};
    const environment = { TEST_PART: part, ...temporary };
    codes.push(await runVitest([...group.parameters, ...reporters, ...parameters], environment, write));
  }
  return firstFailure(codes);
}

/**
 * Runs the part's lanes in parallel. The first lane's output is live; that of each other lane is printed once the lanes
 * before it have ended.
 */
async function runPart(part: TestPart, parameters: readonly string[]): Promise<number> {
  await Promise.all(reportsOf(part).map((path) => rm(path, { force: true })));
  const lanes = LANES[part].map((groups, at) => {
    const output = at === 0 ? null : heldOutput();
    return { output, ended: runLane(part, groups, parameters, output?.write) };
  });
  const codes: number[] = [];
  for (const { output, ended } of lanes) {
    output?.show();
    codes.push(await ended);
  }
  console.log(`\n${reportSummary(sumReports(reportsOf(part)))}`);
  return firstFailure(codes);
}

/** Runs the parts sequentially. The last line has the counts of all. */
async function runParts(parts: readonly TestPart[], parameters: readonly string[]): Promise<number> {
  await makeAssets();
  const codes: number[] = [];
  for (const part of parts) codes.push(await runPart(part, parameters));
  const summary = sumReports(parts.flatMap(reportsOf));
  if (parts.length > 1) console.log(`\n${reportSummary(summary)}`);
  return firstFailure(codes) || Number(summary.failures.length > 0);
}

const PARTS: Readonly<Record<string, readonly TestPart[]>> = {
  "--long": ["long"],
  "--all": ["short", "long"],
};

await runScript(async () => {
  const given = process.argv.slice(2);
  const parts = PARTS[given[0] ?? ""];
  const parameters = parts === undefined ? given : given.slice(1);
  process.exitCode = isChoice(parameters)
    ? await runVitest(parameters)
    : await runParts(parts ?? ["short"], parameters);
});
