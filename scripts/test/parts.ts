/** What `npm test` runs, and what is left for `npm run test:long`: files that end in `.long.test.ts`. */
export type TestPart = "short" | "long";

/** Projects that one Vitest process runs. */
export interface TestGroup {
  readonly name: string;
  readonly parameters: readonly string[];
  /** Whether its databases may lie in memory; what survives a kill must lie on a disk. */
  readonly isInMemory: boolean;
}

/** All projects but those of the other groups, so that a new one cannot be forgotten. */
const NODE: TestGroup = { name: "node", parameters: ["--project=!integration"], isInMemory: false };
const SERVED: TestGroup = {
  name: "served",
  parameters: [...NODE.parameters, "--project=!studio", "--project=!unit"],
  isInMemory: false,
};
const UNIT: TestGroup = { name: "unit", parameters: ["--project=unit"], isInMemory: false };
const STUDIO: TestGroup = { name: "studio", parameters: ["--project=studio"], isInMemory: false };

/**
 * The tests in workerd take one thread and nearly as long as all others together. Vitest would run them before or after
 * the others, because they want one worker and the others three; beside them, both cores have work to the end.
 */
const WORKERD: TestGroup = {
  name: "workerd",
  // Fifteen thousand lines of the worker's own, of which only those of failed tests are of use.
  parameters: ["--project=integration", "--silent=passed-only"],
  isInMemory: true,
};

/** Lanes run in parallel; the groups of a lane run one after another. The lanes of a part take about equally long. */
export const LANES: Readonly<Record<TestPart, readonly (readonly TestGroup[])[]>> = {
  short: [[NODE], [WORKERD]],
  long: [
    [STUDIO, SERVED],
    [WORKERD, UNIT],
  ],
};
