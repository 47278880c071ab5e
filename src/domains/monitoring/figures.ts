import type { DatabaseFigures } from "#platform/db/schema/index.ts";

/** The ten figures of the service's health, with their thresholds. */

export const THRESHOLDS = {
  oldestOpenJobSeconds: 3_600,
  /**
   * Jobs that failed by the service's fault in half an hour, and their share of all jobs that ended in that half hour.
   */
  failedJobs: 5,
  failedJobsShare: 0.01,
  openJobs: 5_000,
  lateImports: 100,
  lateDeliveries: 1_000,
  lateMail: 100,
  deadLetters: 10,
  /** D1's maximum is 10 GB. */
  largestDatabaseBytes: 8_000_000_000,
  ledgerDifferences: 1,
} as const;

export type Figure = keyof typeof THRESHOLDS;
export type Figures = Readonly<Record<Figure, number>>;

export const FIGURES = Object.keys(THRESHOLDS).filter((name): name is Figure => name in THRESHOLDS);

/** Minimum number of ended jobs for `failedJobsShare`; among fewer, a share means little. */
const JOBS_OF_SHARE_MIN = 20;

export const isAlert = (figure: Figure, value: number): boolean => value >= THRESHOLDS[figure];

/** A database's measurements. */
export interface Measured {
  readonly figures: DatabaseFigures;
  readonly ledger: { readonly found: number; readonly foundBefore: number };
}

/** The combined figures of all databases. */
export function combineFigures(measured: readonly Measured[], nowMs: number): Figures {
  const sum = (of: (figures: DatabaseFigures) => number) =>
    measured.reduce((total, { figures }) => total + of(figures), 0);
  const [endedJobs, failedJobs] = [sum((one) => one.endedJobs), sum((one) => one.failedJobs)];
  const oldestMs = Math.min(nowMs, ...measured.map(({ figures }) => figures.oldestOpenJobAt ?? nowMs));
  return {
    oldestOpenJobSeconds: Math.floor((nowMs - oldestMs) / 1_000),
    failedJobs,
    failedJobsShare: endedJobs < JOBS_OF_SHARE_MIN ? 0 : failedJobs / endedJobs,
    openJobs: sum((one) => one.openJobs),
    lateImports: sum((one) => one.lateImports),
    lateDeliveries: sum((one) => one.lateDeliveries),
    lateMail: sum((one) => one.lateMail),
    deadLetters: sum((one) => one.deadLetters),
    largestDatabaseBytes: Math.max(0, ...measured.map(({ figures }) => figures.bytes)),
    ledgerDifferences: measured.reduce(
      (total, { ledger }) => total + Math.max(ledger.found, ledger.foundBefore),
      0,
    ),
  };
}
