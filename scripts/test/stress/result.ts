import { z } from "zod";

/** What one part of the stress run found. The table shows it; anything but 0 in a loss fails the run. */
export const stressResult = z.strictObject({
  part: z.string().min(1),
  /** How much was tried, by what: `{ sequences: 2000, commands: 61234 }`. */
  counts: z.record(z.string(), z.int().min(0)),
  /** How much it set out to try, of the same; less in `counts` means that it ran out of time. */
  planned: z.record(z.string(), z.int().min(0)),
  /** Work, money or bytes that are gone. */
  lost: z.int().min(0),
  /** Effects or charges that happened twice. */
  duplicated: z.int().min(0),
  /** Secrets and foreign rows that were shown, and access attempts that succeeded. */
  leaked: z.int().min(0),
  /** Requests, jobs or inputs that did not end. */
  hung: z.int().min(0),
});
export type StressResult = z.infer<typeof stressResult>;

/** What a test adds to its part's result; members left out count as 0. */
export type StressFinding = Partial<Omit<StressResult, "part">>;

export const LOSSES = ["lost", "duplicated", "leaked", "hung"] as const;

/** Findings of one part, summed. */
export function sumFindings(part: string, findings: readonly StressFinding[]): StressResult {
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
    part,
    counts: sumOf("counts"),
    planned: sumOf("planned"),
    lost: sum("lost"),
    duplicated: sum("duplicated"),
    leaked: sum("leaked"),
    hung: sum("hung"),
  };
}
