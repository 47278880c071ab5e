/**
 * Measures the service and its competitors: npm run bench [-- --only <case>,<case>] [--write] [--keep]. Exits with 1 if
 * a target was missed or a case could not be measured.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { Failure, runScript } from "../scripts/local/failure.ts";
import { inRoot } from "../scripts/local/paths.ts";
import { ensureLocalSecrets } from "../scripts/local/secrets.ts";
import type { Bench, BenchCase } from "./bench-case.ts";
import { CASES } from "./cases.ts";
import { chosenCases } from "./chosen-cases.ts";
import { describeMachine } from "./machine.ts";
import { createPictures } from "./pictures/pictures.ts";
import { printOutcome } from "./report/console.ts";
import { keepLastRun } from "./report/last-run.ts";
import { writePage } from "./report/markdown.ts";
import { type CaseOutcome, type RunResult, tallyLine, tallyOf } from "./report/run-result.ts";
import { removeBundles } from "./workerd/bundle.ts";

const OPTIONS = {
  only: { type: "string", multiple: true },
  write: { type: "boolean" },
  keep: { type: "boolean" },
} as const;

function readOptions(): {
  readonly cases: readonly BenchCase[];
  readonly isWritten: boolean;
  readonly isKept: boolean;
} {
  const { values } = parseArgs({ options: OPTIONS });
  const only = values.only ?? [];
  const cases = chosenCases(CASES, only);
  if (values.write && only.length > 0) {
    throw new Failure("--write takes a full run: a page of some cases would pass for all of them.");
  }
  return { cases, isWritten: values.write === true, isKept: values.keep === true || values.write === true };
}

async function runCase({ id, title, run }: BenchCase): Promise<CaseOutcome> {
  const startedMs = performance.now();
  const progress = (sentence: string) => process.stderr.write(`${id}: ${sentence}\n`);
  const bench: Bench = { pictures: createPictures(progress), progress };
  const seconds = () => (performance.now() - startedMs) / 1000;
  try {
    const result = await run(bench);
    return { id, title, seconds: seconds(), result, failure: null };
  } catch (thrown) {
    const failure = thrown instanceof Failure ? thrown.message : String(thrown);
    if (thrown instanceof Error && !(thrown instanceof Failure)) process.stderr.write(`${thrown.stack}\n`);
    return { id, title, seconds: seconds(), result: null, failure };
  }
}

await runScript(async () => {
  const { cases, isWritten, isKept } = readOptions();
  const startedAt = new Date().toISOString();
  await ensureLocalSecrets();
  const outcomes: CaseOutcome[] = [];
  for (const one of cases) {
    const outcome = await runCase(one);
    printOutcome(outcome);
    outcomes.push(outcome);
  }
  await removeBundles();
  const result: RunResult = { startedAt, machine: describeMachine(), cases: outcomes };
  const folder = inRoot("bench/results");
  await mkdir(folder, { recursive: true });
  const name = `${startedAt.slice(0, 19).replaceAll(/[:T]/g, "-")}.json`;
  await writeFile(`${folder}/${name}`, `${JSON.stringify(result, null, 2)}\n`);
  console.log(`\nbench/results/${name}`);
  if (isKept) await keepLastRun(result);
  if (isWritten) {
    await writeFile(inRoot("docs/bench.md"), writePage(result));
    console.log("docs/scaling.md has tables of these figures: npm run capacity -- --write");
  }
  console.log(tallyLine(outcomes));
  const { missed, failed } = tallyOf(outcomes);
  if (missed + failed > 0) process.exitCode = 1;
});
