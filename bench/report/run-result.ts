import type { CaseResult } from "../bench-case.ts";

/** A case of a run: its measurements, or why there are none. */
export interface CaseOutcome {
  readonly id: string;
  readonly title: string;
  readonly seconds: number;
  readonly result: CaseResult | null;
  readonly failure: string | null;
}

/** The result of a run, also written as JSON. */
export interface RunResult {
  readonly startedAt: string;
  readonly machine: Machine;
  readonly cases: readonly CaseOutcome[];
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly system: string;
  readonly versions: Readonly<Record<string, string>>;
}

export interface Tally {
  readonly met: number;
  readonly missed: number;
  /** Number of cases that could not be measured. */
  readonly failed: number;
}

export function tallyOf(cases: readonly CaseOutcome[]): Tally {
  const targets = cases.flatMap(({ result }) => result?.targets ?? []);
  const met = targets.filter(({ isMet }) => isMet).length;
  return {
    met,
    missed: targets.length - met,
    failed: cases.filter(({ failure }) => failure !== null).length,
  };
}

/** Summary of a run, printed as its last line. */
export function tallyLine(cases: readonly CaseOutcome[]): string {
  const { met, missed, failed } = tallyOf(cases);
  const broken = failed === 0 ? "" : `, ${failed} ${failed === 1 ? "case" : "cases"} could not be measured`;
  return `${met} targets met, ${missed} missed${broken}`;
}
