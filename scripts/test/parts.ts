/** Splits the tests between `npm test` and `npm run test:long`, which runs files named `.long.test.ts`. */
export type TestPart = "short" | "long";

/** Projects that run in one Vitest process. */
export interface TestGroup {
  readonly name: string;
  readonly parameters: readonly string[];
  /** Whether its databases may be in memory. Tests that kill the worker need a disk. */
  readonly isInMemory: boolean;
}

/** Groups exclude projects instead of listing them, so that a new project is always run. */
const NODE: TestGroup = { name: "node", parameters: ["--project=!integration"], isInMemory: false };
const SERVED: TestGroup = {
  name: "served",
  parameters: [...NODE.parameters, "--project=!studio", "--project=!unit"],
  isInMemory: false,
};
const UNIT: TestGroup = { name: "unit", parameters: ["--project=unit"], isInMemory: false };
const STUDIO: TestGroup = { name: "studio", parameters: ["--project=studio"], isInMemory: false };

/**
 * The workerd tests take one thread, and about as long as all others together. They run in parallel with the others, so
 * that both cores are always busy. Vitest would run them sequentially, because they need one Vitest worker and the
 * other tests need three.
 */
const WORKERD: TestGroup = {
  name: "workerd",
  // The worker's own log has fifteen thousand lines; only those of failed tests are useful.
  parameters: ["--project=integration", "--silent=passed-only"],
  isInMemory: true,
};

/** Lanes run in parallel, the groups of a lane sequentially. The lanes of a part take about equally long. */
export const LANES: Readonly<Record<TestPart, readonly (readonly TestGroup[])[]>> = {
  short: [[NODE], [WORKERD]],
  long: [
    [STUDIO, SERVED],
    [WORKERD, UNIT],
  ],
};
