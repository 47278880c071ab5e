import { type Sample, timed } from "./sample.ts";
import { median } from "./statistics.ts";

/** A contestant: `run` does its work once, `cpuMs` reads the CPU time of its process. */
export interface Contestant {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  readonly cpuMs: () => number;
}

/**
 * Runs all contestants in turn, round by round, so that other load affects them equally. Returns medians by name.
 * Warm-up rounds let engines compile.
 */
export async function sideBySide(
  contestants: readonly Contestant[],
  rounds: number,
  warmUps = 1,
): Promise<ReadonlyMap<string, Sample>> {
  const samples = contestants.map(({ name }) => ({ name, taken: [] as Sample[] }));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [at, { run, cpuMs }] of contestants.entries()) {
      const sample = await timed(cpuMs, run);
      if (round >= 0) samples[at]?.taken.push(sample);
    }
  }
  return new Map(
    samples.map(({ name, taken }) => [
      name,
      {
        cpuMs: median(taken.map(({ cpuMs }) => cpuMs)),
        wallMs: median(taken.map(({ wallMs }) => wallMs)),
      },
    ]),
  );
}
