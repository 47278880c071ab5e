/** What a test tried and found; members left out count as 0. */
export interface StressFinding {
  /** How much was tried, by what: `{ sequences: 2000, commands: 61234 }`. */
  readonly counts?: Readonly<Record<string, number>>;
  /** How much it set out to try, of the same; less in `counts` means that it ran out of time. */
  readonly planned?: Readonly<Record<string, number>>;
  /** Work, money or bytes that are gone. */
  readonly lost?: number;
  /** Effects or charges that happened twice. */
  readonly duplicated?: number;
  /** Secrets and foreign rows that were shown, and access attempts that succeeded. */
  readonly leaked?: number;
  /** Requests, jobs or inputs that did not end. */
  readonly hung?: number;
}

/** What one part of the stress run found. The table shows it; anything but 0 in a loss fails the run. */
export type StressResult = Required<StressFinding>;

export const LOSSES = ["lost", "duplicated", "leaked", "hung"] as const;

/** Findings of one part, summed. */
export function sumFindings(findings: readonly StressFinding[]): StressResult {
  const sumOf = (member: "counts" | "planned") => {
    const sums: Record<string, number> = {};
    for (const finding of findings) {
      for (const [what, count] of Object.entries(finding[member] ?? {})) {
        sums[what] = (sums[what] ?? 0) + count;
      }
    }
    return sums;
  };
  const sum = (loss: (typeof LOSSES)[number]) =>
    findings.reduce((total, finding) => total + (finding[loss] ?? 0), 0);
  return {
    counts: sumOf("counts"),
    planned: sumOf("planned"),
    lost: sum("lost"),
    duplicated: sum("duplicated"),
    leaked: sum("leaked"),
    hung: sum("hung"),
  };
}

/** A part's file that git ignores: its result, everything it printed, or the names of the tests that have failed so far. */
export const stressFile = (part: string, kind: "json" | "log" | "failed"): URL =>
  new URL(`../../../.cache/stress/${part}.${kind}`, import.meta.url);
