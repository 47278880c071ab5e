import type { LedgerEvent } from "creative-packs";

const COLUMNS = [
  "createdAt",
  "eventId",
  "type",
  "source",
  "amount",
  "balanceAfter",
  "jobId",
  "description",
] as const;

/** Matches text that a spreadsheet would evaluate as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Formats a CSV field (RFC 4180). A text that starts like a formula gets an apostrophe, so that spreadsheets do not
 * evaluate it. Numbers do not change.
 */
function field(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The header row. */
export const CSV_HEAD = `${COLUMNS.join(",")}\r\n`;

/** One entry as a line of CSV. */
export const csvLine = (event: LedgerEvent): string =>
  `${COLUMNS.map((column) => field(event[column])).join(",")}\r\n`;
