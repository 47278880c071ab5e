import { INCLUDED, PRICES } from "../../../bench/prices.ts";

/** What a deployment uses in a month. GB are 10^9 bytes, as the platform counts them. */
export type MonthlyUse = Readonly<Record<keyof typeof INCLUDED, number>>;

export interface BillLine {
  readonly what: keyof MonthlyUse | "plan" | "together";
  readonly used: number;
  readonly included: number;
  readonly dollars: number;
}

const PRICE_OF: Readonly<Record<keyof MonthlyUse, number>> = {
  requests: PRICES.perRequest,
  cpuMs: PRICES.perCpuMs,
  d1RowsRead: PRICES.perD1RowRead,
  d1RowsWritten: PRICES.perD1RowWritten,
  d1GbMonths: PRICES.perD1GbMonth,
  r2ClassA: PRICES.perR2ClassA,
  r2ClassB: PRICES.perR2ClassB,
  r2GbMonths: PRICES.perR2GbMonth,
  queueOperations: PRICES.perQueueOperation,
  objectRequests: PRICES.perObjectRequest,
  objectGbSeconds: PRICES.perObjectGbSecond,
  objectRowsWritten: PRICES.perObjectRowWritten,
  logLines: PRICES.perLogLine,
};

const LINES: readonly (keyof MonthlyUse)[] = [
  "requests",
  "cpuMs",
  "d1RowsWritten",
  "d1RowsRead",
  "d1GbMonths",
  "r2ClassA",
  "r2ClassB",
  "r2GbMonths",
  "queueOperations",
  "objectRequests",
  "objectGbSeconds",
  "objectRowsWritten",
  "logLines",
];

/** The bill of a month in dollars, line by line; the last is the sum. */
export function billOf(use: MonthlyUse): readonly BillLine[] {
  const lines: BillLine[] = LINES.map((what) => ({
    what,
    used: use[what],
    included: INCLUDED[what],
    dollars: Math.max(0, use[what] - INCLUDED[what]) * PRICE_OF[what],
  }));
  const plan: BillLine = { what: "plan", used: 1, included: 0, dollars: PRICES.perMonth };
  const together = [plan, ...lines].reduce((sum, { dollars }) => sum + dollars, 0);
  return [plan, ...lines, { what: "together", used: 0, included: 0, dollars: together }];
}
