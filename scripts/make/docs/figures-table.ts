import { FIGURES, type Figure, THRESHOLDS } from "#domains/monitoring/figures.ts";
import { code, count, table } from "./markdown-table.ts";

const MEANINGS: Readonly<Record<Figure, string>> = {
  oldestOpenJobSeconds: 'age of the oldest open job in seconds: see "When drawing is broken"',
  failedJobs: 'jobs that failed by our fault in half an hour: see "Why a pack failed"',
  failedJobsShare: "share of those jobs in all that ended in the half hour; 0 if fewer than 20 ended",
  openJobs: "jobs that are open",
  lateImports: "imports that are more than ten minutes late",
  lateDeliveries: "deliveries that are more than ten minutes late",
  lateMail: 'mails that are more than ten minutes late: see "The mail provider is down"',
  deadLetters: "dead letters of the queues in this hour and the previous one",
  largestDatabaseBytes: 'bytes of the largest database: see "Shards"',
  ledgerDifferences: 'differences that the ledger check found: see "The books"',
};

/** Generated table of docs/operations.md: the operator's figures with their alert thresholds. */
export const FIGURES_TABLE = table(
  ["figure", "alert from", "what it is"],
  FIGURES.map((figure) => {
    const threshold = THRESHOLDS[figure];
    return [code(figure), threshold < 1 ? `${threshold * 100} %` : count(threshold), MEANINGS[figure]];
  }),
);
