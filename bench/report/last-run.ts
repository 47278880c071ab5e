import { readFile, writeFile } from "node:fs/promises";
import { inRoot } from "../../scripts/local/paths.ts";
import type { CaseOutcome, RunResult } from "./run-result.ts";

/** The figures of the last run of each case, for programs: `npm run capacity` reads its times here. */
const PATH = "bench/last-run.json";

/** A case and when it was run. */
type KeptCase = Pick<CaseOutcome, "id" | "title" | "result"> & Pick<RunResult, "startedAt" | "machine">;

/** Puts the cases of a run over those that are kept; one that could not be measured leaves the one before it. */
export async function keepLastRun({ startedAt, machine, cases }: RunResult): Promise<void> {
  const text = await readFile(inRoot(PATH), "utf8").catch(() => '{"cases":[]}');
  const before: { readonly cases: readonly KeptCase[] } = JSON.parse(text);
  const kept = new Map(before.cases.map((one) => [one.id, one]));
  for (const { id, title, result } of cases) {
    if (result !== null) kept.set(id, { id, title, startedAt, machine, result });
  }
  const sorted = [...kept.values()].sort((one, other) => one.id.localeCompare(other.id));
  await writeFile(inRoot(PATH), `${JSON.stringify({ cases: sorted }, null, 2)}\n`);
}
