/** Duration and CPU time of one run. */
export interface Sample {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Measures one run. `cpuMs` reads the CPU time of the process that does the work. */
export async function timed(cpuMs: () => number, run: () => Promise<unknown>): Promise<Sample> {
  const cpuBefore = cpuMs();
  const wallBefore = performance.now();
  await run();
  return { wallMs: performance.now() - wallBefore, cpuMs: cpuMs() - cpuBefore };
}
