/** Duration and CPU time of one run. */
export interface Sample {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Runs something once and reads the clocks before and after. `cpuMs` reads the CPU time of the working process. */
export async function timed(cpuMs: () => number, run: () => Promise<unknown>): Promise<Sample> {
  const cpuBefore = cpuMs();
  const wallBefore = performance.now();
  await run();
  return { wallMs: performance.now() - wallBefore, cpuMs: cpuMs() - cpuBefore };
}
