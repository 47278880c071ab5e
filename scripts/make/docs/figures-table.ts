import { FIGURES, type Figure, THRESHOLDS } from "#domains/monitoring/figures.ts";
import { code, count, table } from "./markdown-table.ts";

const MEANINGS: Readonly<Record<Figure, string>> = {
  oldestOpenJobSeconds: 'age of the oldest open job: see "When drawing is broken"',
  failedJobs: 'jobs that failed by our fault in half an hour: see "Why a pack failed"',
  failedJobsShare: "their share of the jobs that ended in it, of 20 and more",
  openJobs: "jobs that are open",
  lateImports: "imports that were due ten minutes ago",
  lateDeliveries: "deliveries that were due ten minutes ago",
  lateMail: 'mails that were due ten minutes ago: see "The mail provider is down"',
  deadLetters: "messages that the queues gave up, in this hour and the one before",
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
