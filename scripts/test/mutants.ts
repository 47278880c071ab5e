/**
 * Measures the tests with mutants: npm run test:mutants [-- module … --count 300 --seed N --lanes 2].
 *
 * Creates mutants of the modules' sources, runs each against its module's tests, and lists the survivors.
 */
import { parseArgs } from "node:util";
import { Failure, runScript } from "../local/failure.ts";
import { runTool } from "../local/tool.ts";
import { makeAssets } from "../make/assets.ts";
import type { Mutant } from "./mutants/mutate-source.ts";
import {
  MUTATED_MODULES,
  type MutatedModule,
  type PickedMutant,
  pickMutants,
} from "./mutants/pick-mutants.ts";
import type { TestPart } from "./parts.ts";

/** Results of a mutant: killed by `npm test`, killed only by `npm run test:long`, or not killed. */
const RESULTS = ["killed", "killed by long tests", "survived"] as const;

interface Tried extends PickedMutant {
  readonly result: (typeof RESULTS)[number];
}

/** Many times the duration of a module's tests. A mutant that runs longer counts as killed (endless loop). */
const RUN_MS_MAX = 15 * 60_000;

const VITEST = [
  ...["run", "--project=unit", "--project=integration", "--bail=1", "--passWithNoTests"],
  ...["--reporter=dot", "--silent=true"],
  // Disables Vitest's cache of transformed modules: its key is the file on disk, which does not contain the mutant.
  "--fsModuleCache=false",
];

/** Whether a module's short or long tests fail: with a mutant, or on the unchanged source. */
async function failsIn(part: TestPart, { tests }: MutatedModule, mutant?: Mutant): Promise<boolean> {
  const variables = { TEST_PART: part, ...(mutant === undefined ? {} : { MUTANT: JSON.stringify(mutant) }) };
  return (await runTool("vitest", [...VITEST, ...tests], variables, RUN_MS_MAX)).code !== 0;
}

async function tryMutant(picked: PickedMutant): Promise<Tried> {
  const { module, mutant } = picked;
  if (await failsIn("short", module, mutant)) return { ...picked, result: "killed" };
  const isKilled = await failsIn("long", module, mutant);
  return { ...picked, result: isKilled ? "killed by long tests" : "survived" };
}

/** Mutants prove nothing if the tests fail without them. */
async function requirePassing(modules: readonly MutatedModule[]): Promise<void> {
  for (const module of modules) {
    for (const part of ["short", "long"] as const) {
      if (await failsIn(part, module))
        throw new Failure(`The ${part} tests of ${module.name} fail unchanged.`);
    }
  }
}

async function tryAll(mutants: readonly PickedMutant[], lanes: number): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  const waiting = mutants.values();
  const runLane = async (): Promise<void> => {
    for (const picked of waiting) {
      const done = await tryMutant(picked);
      tried.push(done);
      const { path } = done.mutant;
      console.log(`${tried.length} of ${mutants.length}: ${done.result.padEnd(20)} ${path}:${done.line}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return tried;
}

await runScript(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { count: { type: "string" }, seed: { type: "string" }, lanes: { type: "string" } },
  });
  const known = MUTATED_MODULES.map(({ name }) => name);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Failure(`There is no module ${unknown}. Take ${known.join(", ")}.`);
  const modules = MUTATED_MODULES.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  await makeAssets();
  await requirePassing(modules);
  const tried = await tryAll(
    pickMutants(modules, Number(values.count ?? 300), seed),
    Number(values.lanes ?? 2),
  );
  for (const { mutant, line, before, after } of tried.filter(({ result }) => result === "survived")) {
    console.log(`\n${mutant.path}:${line}\n- ${before}\n+ ${after}`);
  }
  for (const module of modules) {
    const own = tried.filter((one) => one.module === module);
    const counts = RESULTS.map((result) => `${own.filter((one) => one.result === result).length} ${result}`);
    console.log(`\n${module.name}: ${own.length} mutants, ${counts.join(", ")}`);
  }
});
