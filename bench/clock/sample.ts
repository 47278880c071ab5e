/** What one run of something took. */
export interface Sample {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Runs something once between two readings of the clocks; `cpuMs` reads the CPU time of the process that does it. */
export async function timed(cpuMs: () => number, run: () => Promise<unknown>): Promise<Sample> {
  const cpuBefore = cpuMs();
  const wallBefore = performance.now();
  await run();
  return { wallMs: performance.now() - wallBefore, cpuMs: cpuMs() - cpuBefore };
}
