/** Tables as CSV. */

type Cell = string | number | null;

/**
 * How spreadsheets tell a formula, which may send the sheet's contents elsewhere
 * (https://owasp.org/www-community/attacks/CSV_Injection): full-width forms are read as their plain ones.
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A field as RFC 4180 §2 has it. A text that begins like a formula gets an apostrophe; numbers stay numbers. */
function field(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The media type of such a table (RFC 7111 §5.1). */
export const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/** A table with a head, its lines ended by CRLF. */
export const toCsv = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("");
