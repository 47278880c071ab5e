import { parse } from "csv-parse/sync";

/** A row of a table. `line` is the number of its last line, from 1. */
export interface ParsedRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Parses a table; `readHeader` names its columns. Throws an `Error` if the text is not a table. With `onSkip`, invalid
 * lines are passed to it and skipped.
 */
export function parseTable(
  text: string,
  readHeader: (header: readonly string[]) => string[],
  onSkip?: (line: number, reason: string) => void,
): ParsedRow[] {
  // The header determines the separator, because headlines and prices contain commas.
  const [header = ""] = text.trimStart().split(/[\r\n]/, 1);
  const delimiter = ["\t", ";"].find((one) => header.includes(one)) ?? ",";
  const parsed: { record: Record<string, string>; info: { lines: number } }[] = parse(text, {
    bom: true,
    columns: readHeader,
    delimiter,
    info: true,
    // Cells copied from a spreadsheet are separated by tabs, and quotes inside them are not escaped.
    relax_quotes: delimiter === "\t",
    skip_empty_lines: true,
    skip_records_with_error: onSkip !== undefined,
    on_skip: (error) => {
      if (error !== undefined) onSkip?.(Number(error.lines), error.message);
      return undefined;
    },
    skip_records_with_empty_values: true,
    trim: true,
  });
  return parsed.map(({ record, info }) => ({ line: info.lines, cells: record }));
}

/** Normalises a column's name: lower case, dashes for spaces and underscores. */
export const columnName = (title: string): string => title.trim().toLowerCase().replaceAll(/[\s_]/g, "-");
