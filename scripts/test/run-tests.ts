/** The tests: npm test [-- what vitest takes]; --long for what that leaves out, --all for both, one after the other. */
import { rm } from "node:fs/promises";
import { runScript } from "../local/failure.ts";
import { memoryFolder } from "../local/memory-folder.ts";
import { inRoot } from "../local/paths.ts";
import { untilAskedToEnd } from "../local/wait-for-signal.ts";
import { makeAssets } from "../make/assets.ts";
import { addSummaries, reportSummary, type Summary, sumReports } from "./counts.ts";
import { startLane } from "./lane.ts";
import { LANES, type TestGroup, type TestPart } from "./parts.ts";
import { startVitest } from "./vitest-process.ts";

/** Whether files or projects were chosen; a choice is small and runs by itself. */
const isChoice = (parameters: readonly string[]): boolean =>
  parameters.some((parameter) => !parameter.startsWith("-") || parameter.startsWith("--project"));

const reportPath = (part: TestPart, group: string): string =>
  inRoot(`.cache/test-report-${part}-${group}.json`);

interface Ran extends Summary {
  /** 0, or what the first group ended with that failed. */
  readonly code: number;
}

/** Runs the part's lanes in parallel. The output of the first is shown as it comes, that of another once the first has ended. */
async function runPart(part: TestPart, parameters: readonly string[]): Promise<Ran> {
  const reports = LANES[part].flat().map(({ name }) => reportPath(part, name));
  await Promise.all(reports.map((path) => rm(path, { force: true })));
  const memory = await memoryFolder();
  const lanes = LANES[part].map((groups, at) => {
    const start = ({ name, parameters: own, isInMemory }: TestGroup) => {
      const report = `--outputFile.json=${reportPath(part, name)}`;
      return startVitest([...own, "--reporter=default", "--reporter=json", report, ...parameters], {
        part,
        isHeld: at > 0,
        temporaryFolder: isInMemory ? memory : null,
      });
    };
    return startLane(groups.map((group) => () => start(group)));
  });
  void untilAskedToEnd().then(() => {
    for (const lane of lanes) lane.end();
  });
  const codes: number[] = [];
  for (const lane of lanes) {
    lane.show();
    codes.push(await lane.ended);
  }
  const summary = sumReports(reports);
  console.log(`\n${reportSummary(summary)}`);
  return { ...summary, code: codes.find((code) => code !== 0) ?? 0 };
}

/** Runs the parts one after the other. The last line is what all of them came to. */
async function runParts(parts: readonly TestPart[], parameters: readonly string[]): Promise<number> {
  await makeAssets();
  const ran: Ran[] = [];
  for (const part of parts) ran.push(await runPart(part, parameters));
  const summary = addSummaries(ran);
  if (parts.length > 1) console.log(`\n${reportSummary(summary)}`);
  return ran.find(({ code }) => code !== 0)?.code ?? (summary.failed === 0 ? 0 : 1);
}

function runChoice(parameters: readonly string[]): Promise<number> {
  const chosen = startVitest(parameters, { part: null, isHeld: false, temporaryFolder: null });
  void untilAskedToEnd().then(chosen.end);
  return chosen.ended;
}

const PARTS: Readonly<Record<string, readonly TestPart[]>> = {
  "--long": ["long"],
  "--all": ["short", "long"],
};

await runScript(async () => {
  const [first = "", ...others] = process.argv.slice(2);
  const parts = PARTS[first];
  const parameters = parts === undefined ? process.argv.slice(2) : others;
  process.exitCode = isChoice(parameters)
    ? await runChoice(parameters)
    : await runParts(parts ?? ["short"], parameters);
});
