/** All tests: npm test [-- what vitest takes] */
import { rm } from "node:fs/promises";
import { untilAskedToEnd } from "./local/ending.ts";
import { runScript } from "./local/failure.ts";
import { memoryFolder } from "./local/memory-folder.ts";
import { inRoot } from "./local/paths.ts";
import { makeDocsAssets } from "./make-docs.ts";
import { reportLine, sumReports } from "./test/counts.ts";
import { PARALLEL_GROUPS } from "./test/parallel-groups.ts";
import { startVitest } from "./test/vitest-process.ts";

/** Whether files or projects were chosen; a choice is small and runs by itself. */
const isChoice = (parameters: readonly string[]): boolean =>
  parameters.some((parameter) => !parameter.startsWith("-") || parameter.startsWith("--project"));

const reportPath = (group: string): string => inRoot(`.cache/test-report-${group}.json`);

/** Runs the groups in parallel. The output of the first is shown as it comes, that of another once the first has ended. */
async function runGroups(parameters: readonly string[]): Promise<number> {
  await makeDocsAssets();
  const reports = PARALLEL_GROUPS.map(({ name }) => reportPath(name));
  await Promise.all(reports.map((path) => rm(path, { force: true })));
  const memory = await memoryFolder();
  const groups = PARALLEL_GROUPS.map(({ parameters: own, isInMemory }, at) =>
    startVitest(
      [...own, "--reporter=default", "--reporter=json", `--outputFile.json=${reports[at]}`, ...parameters],
      { isHeld: at > 0, temporaryFolder: isInMemory ? memory : null },
    ),
  );
  void untilAskedToEnd().then(() => {
    for (const group of groups) group.end();
  });
  const codes: number[] = [];
  for (const group of groups) {
    group.show();
    codes.push(await group.ended);
  }
  const counts = sumReports(reports);
  console.log(`\n${reportLine(counts)}`);
  return codes.find((code) => code !== 0) ?? (counts.failed === 0 ? 0 : 1);
}

function runChoice(parameters: readonly string[]): Promise<number> {
  const chosen = startVitest(parameters, { isHeld: false, temporaryFolder: null });
  void untilAskedToEnd().then(chosen.end);
  return chosen.ended;
}

await runScript(async () => {
  const parameters = process.argv.slice(2);
  process.exitCode = isChoice(parameters) ? await runChoice(parameters) : await runGroups(parameters);
});
