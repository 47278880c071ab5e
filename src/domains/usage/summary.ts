import { accept, type Outcome, refuseCursor, refuseMember } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { UsageDimension, UsageSummaryRequest, UsageSummaryView } from "#api/schemas/usage-summary.ts";
import { toCsv } from "#platform/csv.ts";
import { toPage } from "#platform/db/page.ts";
import { latest } from "#platform/db/reader.ts";
import { pick } from "#platform/pick-members.ts";
import { utcDayOf, utcMonthOf } from "#platform/utc-day.ts";
import { type SummaryRange, summaryOf, USAGE_DIMENSIONS, type UsageRow } from "./summary-store.ts";

/** The orders of a range of days, grouped. */

export interface UsageSummary {
  readonly range: SummaryRange;
  readonly groupBy: readonly UsageDimension[];
  readonly totals: UsageRow;
  readonly rows: readonly UsageRow[];
  readonly nextBefore: string | null;
}

const DAY_MS = 86_400_000;

/** Separates the parts of a cursor; no part contains it. */
const BETWEEN = "~";

/** The requested days, by default of the current month. 400 for an empty range, or more than a year. */
function readRange(workspaceId: string, request: UsageSummaryRequest, nowMs: number): Outcome<SummaryRange> {
  const to = request.to ?? utcDayOf(nowMs);
  const from = request.from ?? `${utcMonthOf(Date.parse(to))}-01`;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) return refuseMember("query", "from", "must not be after `to`");
  if (days > LIMITS.usageSummaryDaysMax) {
    return refuseMember(
      "query",
      "from",
      `must be at most ${LIMITS.usageSummaryDaysMax - 1} days before \`to\``,
    );
  }
  return accept({ workspaceId, from, to });
}

const partsOf = (row: UsageRow): Readonly<Record<UsageDimension, string>> => ({
  day: row.day ?? "",
  key: row.apiKeyId ?? "",
  contract: row.contractId ?? "",
});

/**
 * A workspace's summary: a page of at most `LIMITS.usageSummaryRows` rows, and totals of the whole range. 400
 * INVALID_REQUEST for the range, INVALID_CURSOR for a cursor of another grouping.
 */
export async function readSummary(
  db: D1Database,
  workspaceId: string,
  request: UsageSummaryRequest,
  nowMs: number,
): Promise<Outcome<UsageSummary>> {
  const range = readRange(workspaceId, request, nowMs);
  if (!range.ok) return range;
  const groupBy = USAGE_DIMENSIONS.filter((dimension) => request.groupBy.includes(dimension));
  const parts = request.before?.split(BETWEEN);
  if (parts !== undefined && parts.length !== groupBy.length) {
    return refuseCursor("must be `nextBefore` of a page with the same groupBy");
  }
  const after = Object.fromEntries(groupBy.map((dimension, at) => [dimension, parts?.[at] ?? ""]));
  const none = { ...range.value, hasCursor: 0, day: "", key: "", contract: "", limit: 1 };
  const values = { ...none, ...after, hasCursor: parts === undefined ? 0 : 1 };
  const session = latest(db);
  const results = await session.batch([
    summaryOf([]).bind(session, none),
    summaryOf(groupBy).bind(session, { ...values, limit: LIMITS.usageSummaryRows + 1 }),
  ]);
  const totals = summaryOf([]).row(results[0]);
  if (totals === null) throw new Error("sums without a row");
  const page = toPage(
    groupBy.length === 0 ? [] : summaryOf(groupBy).rows(results[1]),
    LIMITS.usageSummaryRows,
    (last) => groupBy.map((dimension) => partsOf(last)[dimension]).join(BETWEEN),
  );
  return accept({ range: range.value, groupBy, totals, rows: page.items, nextBefore: page.nextBefore });
}

const presentSums = (row: UsageRow) => ({
  ...pick(row, "jobs", "consumed", "refunded"),
  spent: row.consumed - row.refunded,
  spentBySource: pick(row, "credits", "subscription", "unlimited"),
});

export const presentSummary = ({
  range,
  groupBy,
  totals,
  rows,
  nextBefore,
}: UsageSummary): UsageSummaryView => ({
  ...pick(range, "from", "to"),
  groupBy: [...groupBy],
  unit: "credit",
  totals: presentSums(totals),
  items: rows.map((row) => ({
    ...pick(row, "day", "apiKeyId", "apiKeyName", "contractId"),
    ...presentSums(row),
  })),
  nextBefore,
});

const COLUMNS_OF = {
  day: ["day"],
  key: ["apiKeyId", "apiKeyName"],
  contract: ["contractId"],
} as const satisfies Readonly<Record<UsageDimension, readonly (keyof UsageRow)[]>>;

/** The rows as CSV: the grouping's columns, then the sums; the last three are by source of payment. */
export function summaryCsv({ groupBy, totals, rows }: UsageSummary): string {
  const columns = groupBy.flatMap((dimension) => COLUMNS_OF[dimension]);
  const sums = ["jobs", "consumed", "refunded", "spent", "credits", "subscription", "unlimited"] as const;
  const shown = groupBy.length === 0 ? [totals] : rows;
  const lines = shown.map((row) => {
    const all = { ...row, spent: row.consumed - row.refunded };
    return [...columns.map((column) => all[column]), ...sums.map((sum) => all[sum])];
  });
  return toCsv([...columns, ...sums], lines);
}
