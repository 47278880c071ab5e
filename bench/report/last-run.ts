import { readFile, writeFile } from "node:fs/promises";
import { Failure } from "../../scripts/local/failure.ts";
import { inRoot } from "../../scripts/local/paths.ts";
import type { CaseOutcome, RunResult } from "./run-result.ts";

/** Figures of the last run of each case, read by `npm run capacity`. */
const PATH = "bench/last-run.json";

/** A case and the time of its run. */
type KeptCase = Pick<CaseOutcome, "id" | "title" | "result"> & Pick<RunResult, "startedAt" | "machine">;

async function readKept(): Promise<readonly KeptCase[]> {
  const text = await readFile(inRoot(PATH), "utf8").catch(() => '{"cases":[]}');
  const kept: { readonly cases: readonly KeptCase[] } = JSON.parse(text);
  return kept.cases;
}

/** Merges the cases of a run into the stored ones. A case that could not be measured keeps its earlier figures. */
export async function keepLastRun({ startedAt, machine, cases }: RunResult): Promise<void> {
  const kept = new Map((await readKept()).map((one) => [one.id, one]));
  for (const { id, title, result } of cases) {
    if (result !== null) kept.set(id, { id, title, startedAt, machine, result });
  }
  const sorted = [...kept.values()].sort((one, other) => one.id.localeCompare(other.id));
  await writeFile(inRoot(PATH), `${JSON.stringify({ cases: sorted }, null, 2)}\n`);
}

/** Looks up a figure of the last run. Throws a Failure if it is missing. */
export type BenchFigure = (id: string, label: string, heading: string) => number;

export async function readLastRun(): Promise<BenchFigure> {
  const cases = await readKept();
  return (id, label, heading) => {
    const rows = cases.find((one) => one.id === id)?.result?.rows;
    const figure = rows?.find((row) => row.label === label)?.figures[heading];
    if (typeof figure === "number") return figure;
    throw new Failure(`${PATH} has no "${heading}" of "${label}"; run: npm run bench -- --only ${id} --keep`);
  };
}
