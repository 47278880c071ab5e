import type { Pictures } from "./pictures/pictures.ts";

/** One line of a case's table: what was measured, and its figures by heading. Null is shown as a dash. */
export interface Row {
  readonly label: string;
  readonly figures: Readonly<Record<string, number | null>>;
}

/** A bound that a case sets itself, and where the measurement stands. */
export interface Target {
  readonly claim: string;
  readonly measured: number;
  readonly direction: "at least" | "at most";
  readonly bound: number;
  readonly isMet: boolean;
}

/** Something a case would have measured and could not. */
export interface Absence {
  readonly what: string;
  readonly why: string;
}

export interface CaseResult {
  readonly rows: readonly Row[];
  readonly targets: readonly Target[];
  readonly absences: readonly Absence[];
  /** Sentences that a reader of the figures needs. */
  readonly notes: readonly string[];
}

export interface BenchCase {
  readonly id: string;
  readonly title: string;
  /** Throws when it cannot be measured at all; the run then counts it as failed. */
  readonly run: (bench: Bench) => Promise<CaseResult>;
}

/** What a case is given. */
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
