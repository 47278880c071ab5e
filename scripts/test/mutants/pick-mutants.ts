import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { inRoot, ROOT } from "../../local/paths.ts";
import { findMutations, type Mutant } from "./mutate-source.ts";

/** A module whose tests are measured. */
export interface MutatedModule {
  readonly name: string;
  /** Path prefix of its sources. */
  readonly sources: string;
  /** Substrings of its tests' paths. */
  readonly tests: readonly string[];
}

/** The modules of `npm run test:mutants`: money, access, and public interfaces. */
export const MUTATED_MODULES: readonly MutatedModule[] = [
  {
    name: "billing",
    sources: "src/domains/billing/",
    tests: ["test/billing/", "billing-", "payment", "shard-events", "mail-notices", "reconcile", "top-up"],
  },
  {
    name: "shares",
    sources: "src/domains/shares/",
    tests: ["/share", "mail-to-others", "mail-notices", "directory"],
  },
  {
    name: "keys",
    sources: "src/domains/keys/",
    tests: [
      ...["api-key", "keys", "key-", "authentication", "access-scopes", "exact-guards"],
      ...["shard-accounts", "suspended-workspace", "move-over-http"],
    ],
  },
  { name: "imports", sources: "src/domains/assets/import", tests: ["import", "asset-sweeps"] },
];

export interface PickedMutant {
  readonly module: MutatedModule;
  readonly mutant: Mutant;
  readonly line: number;
  /** The mutated line, before and after. */
  readonly before: string;
  readonly after: string;
}

function mutantsOf(module: MutatedModule, path: string): readonly PickedMutant[] {
  const source = readFileSync(inRoot(path), "utf8");
  return findMutations(source, path).map((mutation) => {
    const start = source.lastIndexOf("\n", mutation.start - 1) + 1;
    const end = source.indexOf("\n", mutation.end);
    return {
      module,
      mutant: { ...mutation, path },
      line: source.slice(0, start).split("\n").length,
      before: source.slice(start, end).trim(),
      after: (source.slice(start, mutation.start) + mutation.text + source.slice(mutation.end, end)).trim(),
    };
  });
}

/** Picks `count` mutants of the modules' sources at random with equal probability; deterministic per seed. */
export function pickMutants(modules: readonly MutatedModule[], count: number, seed: number) {
  const paths = execFileSync("git", ["ls-files", "src/*.ts"], { cwd: ROOT, encoding: "utf8" }).split("\n");
  const all = modules.flatMap((module) =>
    paths.filter((path) => path.startsWith(module.sources)).flatMap((path) => mutantsOf(module, path)),
  );
  const length = Math.min(count, all.length);
  const subarrays = fc.shuffledSubarray([...all], { minLength: length, maxLength: length });
  return fc.sample(subarrays, { seed, numRuns: 1 }).flat();
}
