/** The counts and findings of a test; absent members count as 0. */
export interface StressFinding {
  /** Amounts tried: `{ sequences: 2000, commands: 61234 }`. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Planned amounts. Lower `counts` mean that the test ran out of time. */
  readonly planned?: Readonly<Record<string, number>>;
  /** Lost work, money or bytes. */
  readonly lost?: number;
  /** Duplicate effects or charges. */
  readonly duplicated?: number;
  /** Exposed secrets and rows of other workspaces, and access attempts that succeeded. */
  readonly leaked?: number;
  /** Requests, jobs or inputs that did not end. */
  readonly hung?: number;
}

/** Result of one part of the stress run. Any loss other than 0 fails the run. */
export type StressResult = Required<StressFinding>;

export const LOSSES = ["lost", "duplicated", "leaked", "hung"] as const;

/** Sum of the results of one part. */
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

/** A part's git-ignored file: its result, its output, or the names of failed tests. */
export const stressFile = (part: string, kind: "json" | "log" | "failed"): URL =>
  new URL(`../../../.cache/stress/${part}.${kind}`, import.meta.url);
