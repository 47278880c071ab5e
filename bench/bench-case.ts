import type { Pictures } from "./pictures/pictures.ts";

/** A row of a case's table: its label, and its figures by heading. Null is shown as a dash. */
export interface Row {
  readonly label: string;
  readonly figures: Readonly<Record<string, number | null>>;
}

/** A target of a case, and the measured value. */
export interface Target {
  readonly claim: string;
  readonly measured: number;
  readonly direction: "at least" | "at most";
  readonly bound: number;
  readonly isMet: boolean;
}

/** A measurement that was not possible. */
export interface Absence {
  readonly what: string;
  readonly why: string;
}

export interface CaseResult {
  readonly rows: readonly Row[];
  readonly targets: readonly Target[];
  readonly absences: readonly Absence[];
  /** Remarks about the measurement, shown below the table. */
  readonly notes: readonly string[];
}

export interface BenchCase {
  readonly id: string;
  readonly title: string;
  /** Throws if nothing can be measured; the run then counts the case as failed. */
  readonly run: (bench: Bench) => Promise<CaseResult>;
}

/** Arguments of a case. */
export interface Bench {
  readonly pictures: Pictures;
  /** Prints progress to stderr. */
  readonly progress: (sentence: string) => void;
}

export const atLeast = (claim: string, measured: number, bound: number): Target => ({
  claim,
  measured,
  direction: "at least",
  bound,
  isMet: measured >= bound,
});

export const atMost = (claim: string, measured: number, bound: number): Target => ({
  claim,
  measured,
  direction: "at most",
  bound,
  isMet: measured <= bound,
});
