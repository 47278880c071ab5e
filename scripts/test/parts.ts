/** What `npm test` runs, and what is left for `npm run test:long`: files that end in `.long.test.ts`. */
export type TestPart = "short" | "long";

/** Projects that one Vitest process runs; the groups of a part run in parallel. */
export interface ParallelGroup {
  readonly name: string;
  readonly parameters: readonly string[];
  /** Whether its databases may lie in memory; what survives a kill must lie on a disk. */
  readonly isInMemory: boolean;
}

/** All projects but the one of the other group, so that a new one cannot be forgotten. */
const NODE: ParallelGroup = { name: "node", parameters: ["--project=!integration"], isInMemory: false };

/**
 * The tests in workerd take one thread and nearly as long as all others together. Vitest would run them before or after
 * the others, because they want one worker and the others three; beside them, both cores have work to the end.
 */
const WORKERD: ParallelGroup = {
  name: "workerd",
  // Fifteen thousand lines of the worker's own, of which only those of failed tests are of use.
  parameters: ["--project=integration", "--silent=passed-only"],
  isInMemory: true,
};

/** Both parts run every project. `deploy` and `trust` may have files of one part alone. */
export const GROUPS: Readonly<Record<TestPart, readonly ParallelGroup[]>> = {
  short: [NODE, WORKERD],
  long: [NODE, WORKERD],
};
