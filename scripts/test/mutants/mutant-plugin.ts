import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";
import { applyMutation, type Mutation } from "./find-mutations.ts";

/** A mutation of one file, as the environment variable `MUTANT` carries it to a Vitest process. */
export interface Mutant extends Mutation {
  /** From the root of the clone, as in `src/domains/keys/secret.ts`. */
  readonly path: string;
}

/** Applies the mutant of the environment to its source as Vitest loads it, so no file on the disk changes. */
export function mutantPlugin(environment: NodeJS.ProcessEnv): readonly Plugin[] {
  if (environment.MUTANT === undefined) return [];
  const mutant: Mutant = JSON.parse(environment.MUTANT);
  return [
    {
      name: "mutant",
      enforce: "pre",
      load: async (id) =>
        id.endsWith(`/${mutant.path}`) ? applyMutation(await readFile(id, "utf8"), mutant) : null,
    },
  ];
}
