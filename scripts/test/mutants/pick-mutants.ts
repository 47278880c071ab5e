import { readFile } from "node:fs/promises";
import { inRoot } from "../../local/paths.ts";
import { findMutations } from "./find-mutations.ts";
import { MUTATED_MODULES } from "./modules.ts";
import type { Mutant } from "./mutant-plugin.ts";

export interface PickedMutant extends Mutant {
  /** A name of `MUTATED_MODULES`. */
  readonly module: string;
  readonly line: number;
  /** The line before and after. */
  readonly before: string;
  readonly after: string;
}

/** Picks `count` mutants of the modules' sources at random, each equally likely; the same ones for the same seed. */
export async function pickMutants(
  paths: readonly string[],
  modules: readonly string[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<readonly PickedMutant[]> {
  const all: PickedMutant[] = [];
  for (const module of modules) {
    const { sources } = MUTATED_MODULES[module] ?? { sources: module };
    for (const path of paths.filter((path) => path.startsWith(sources))) {
      const source = await readFile(inRoot(path), "utf8");
      for (const mutation of findMutations(source, path)) {
        const start = source.lastIndexOf("\n", mutation.start - 1) + 1;
        const end = source.indexOf("\n", mutation.end);
        const before = source.slice(start, end);
        const after = source.slice(start, mutation.start) + mutation.text + source.slice(mutation.end, end);
        const line = source.slice(0, start).split("\n").length;
        all.push({ ...mutation, path, module, line, before: before.trim(), after: after.trim() });
      }
    }
  }
  return shuffle(all, seed).slice(0, count);
}

/** Fisher and Yates' shuffle with the generator mulberry32. */
function shuffle<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const keyed = items.map((item, at) => ({ item, key: random(seed + at * 0x6d2b79f5) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

function random(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
