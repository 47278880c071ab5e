/** All tests: npm test [-- what vitest takes] */
import { rm } from "node:fs/promises";
import { untilAskedToEnd } from "./local/ending.ts";
import { runScript } from "./local/failure.ts";
import { memoryFolder } from "./local/memory-folder.ts";
import { inRoot } from "./local/paths.ts";
import { makeDocsAssets } from "./make-docs.ts";
import { reportLine, sumReports } from "./test/counts.ts";
import { LANES } from "./test/lanes.ts";
import { startVitest } from "./test/vitest-process.ts";

/** Whether files or projects were chosen; a choice is small and runs by itself. */
const isChoice = (parameters: readonly string[]): boolean =>
  parameters.some((parameter) => !parameter.startsWith("-") || parameter.startsWith("--project"));

const reportPath = (lane: string): string => inRoot(`.cache/test-report-${lane}.json`);

/** Runs the lanes beside one another; what the first says is seen at once, what another says after it. */
async function runLanes(parameters: readonly string[]): Promise<number> {
  await makeDocsAssets();
  const reports = LANES.map(({ name }) => reportPath(name));
  await Promise.all(reports.map((path) => rm(path, { force: true })));
  const memory = await memoryFolder();
  const lanes = LANES.map(({ parameters: own, isInMemory }, at) =>
    startVitest(
      [
        ...own,
        ...["--reporter=default", "--reporter=json"],
        `--outputFile.json=${reports[at]}`,
        ...parameters,
      ],
      { isHeld: at > 0, temporaryFolder: isInMemory ? memory : null },
    ),
  );
  void untilAskedToEnd().then(() => {
    for (const lane of lanes) lane.end();
  });
  const codes: number[] = [];
  for (const lane of lanes) {
    lane.show();
    codes.push(await lane.ended);
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
  process.exitCode = isChoice(parameters) ? await runChoice(parameters) : await runLanes(parameters);
});
