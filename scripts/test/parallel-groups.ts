/** Projects that one Vitest process runs; the groups run in parallel. */
export interface ParallelGroup {
  readonly name: string;
  readonly parameters: readonly string[];
  /** Whether its databases may lie in memory; what survives a kill must lie on a disk. */
  readonly isInMemory: boolean;
}

/**
 * The tests in workerd take one thread and as long as two thirds of all others together. Vitest would run them before
 * or after the others, because they want one worker and the others two; beside them, both cores have work to the end.
 */
export const PARALLEL_GROUPS: readonly ParallelGroup[] = [
  {
    name: "node",
    parameters: ["--project=unit", "--project=conformance", "--project=sdk", "--project=trust"],
    isInMemory: false,
  },
  // Fifteen thousand lines of the worker's own, of which only those of failed tests are of use.
  { name: "workerd", parameters: ["--project=integration", "--silent=passed-only"], isInMemory: true },
];
