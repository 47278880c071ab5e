type Cell = string | number | null;

/**
 * Prefixes of spreadsheet formulas, which could send the sheet's contents elsewhere
 * (https://owasp.org/www-community/attacks/CSV_Injection); spreadsheets treat full-width forms the same.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A field (RFC 4180 §2). Text that begins like a formula gets an apostrophe; numbers stay numbers. */
function field(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Media type of CSV with a header row (RFC 7111 §5.1). */
export const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/** A table with a header row; lines end with CRLF. */
export const toCsv = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("");
