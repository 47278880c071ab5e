/**
 * Measures the tests: npm run test:mutants [-- module … --count 300 --seed N --lanes 2]. Makes mutants of the modules'
 * sources, runs each against its module's tests, and lists the mutants that none of them noticed.
 */
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { Failure, runScript } from "../local/failure.ts";
import { inRoot, ROOT } from "../local/paths.ts";
import { makeAssets } from "../make/assets.ts";
import { MUTATED_MODULES } from "./mutants/modules.ts";
import { type PickedMutant, pickMutants } from "./mutants/pick-mutants.ts";
import { failsIn, type MutantResult, runMutant } from "./mutants/run-mutant.ts";

interface Tried extends PickedMutant {
  readonly result: MutantResult;
}

const RESULTS = ["killed", "killed by long tests", "survived"] as const;

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { count: { type: "string" }, seed: { type: "string" }, lanes: { type: "string" } },
  });
  for (const name of positionals) {
    if (MUTATED_MODULES[name] === undefined) {
      throw new Failure(`There is no module ${name}. Take ${Object.keys(MUTATED_MODULES).join(", ")}.`);
    }
  }
  return {
    modules: positionals.length > 0 ? positionals : Object.keys(MUTATED_MODULES),
    count: Number(values.count ?? 300),
    seed: Number(values.seed ?? Date.now() % 1_000_000),
    lanes: Number(values.lanes ?? 2),
  };
}

/** A mutant proves nothing where the tests fail without it. */
async function requirePassing(modules: readonly string[]): Promise<void> {
  for (const name of modules) {
    const module = MUTATED_MODULES[name];
    if (module === undefined) continue;
    for (const part of ["short", "long"] as const) {
      if (await failsIn(part, null, module))
        throw new Failure(`The ${part} tests of ${name} fail unchanged.`);
    }
  }
}

async function tryAll(mutants: readonly PickedMutant[], lanes: number): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  const waiting = [...mutants];
  const runLane = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const module = MUTATED_MODULES[mutant.module];
      if (module === undefined) continue;
      const result = await runMutant(mutant, module);
      tried.push({ ...mutant, result });
      console.log(`${tried.length} of ${mutants.length}: ${result.padEnd(20)} ${mutant.path}:${mutant.line}`);
      await save(tried);
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return tried;
}

async function save(tried: readonly Tried[]): Promise<void> {
  await mkdir(inRoot(".cache"), { recursive: true });
  await writeFile(inRoot(".cache/mutants.json"), `${JSON.stringify(tried, null, 2)}\n`);
}

function report(modules: readonly string[], tried: readonly Tried[]): void {
  const survivors = tried.filter(({ result }) => result === "survived");
  for (const { path, line, before, after } of survivors) {
    console.log(`\n${path}:${line}\n- ${before}\n+ ${after}`);
  }
  for (const name of modules) {
    const own = tried.filter(({ module }) => module === name);
    const counts = RESULTS.map((result) => `${own.filter((one) => one.result === result).length} ${result}`);
    console.log(`\n${name}: ${own.length} mutants, ${counts.join(", ")}`);
  }
}

await runScript(async () => {
  const { modules, count, seed, lanes } = readArguments();
  console.log(`seed ${seed}`);
  await makeAssets();
  await requirePassing(modules);
  const paths = execFileSync("git", ["ls-files", "src/*.ts"], { cwd: ROOT, encoding: "utf8" }).split("\n");
  report(modules, await tryAll(await pickMutants(paths, modules, { count, seed }), lanes));
});
