import { parse } from "csv-parse/sync";

/** A row of a table; `line`: where it ends, from 1. */
export interface ParsedRow {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Reads a table whose columns `readHeader` names. Throws what that throws, and an `Error` for what is no table; with
 * `onSkip`, lines that cannot be read are skipped and told there.
 */
export function parseTable(
  text: string,
  readHeader: (header: readonly string[]) => string[],
  onSkip?: (line: number, reason: string) => void,
): ParsedRow[] {
  // The header tells what is between cells: headlines and prices have commas, too.
  const [header = ""] = text.trimStart().split(/[\r\n]/, 1);
  const delimiter = ["\t", ";"].find((one) => header.includes(one)) ?? ",";
  const parsed: { record: Record<string, string>; info: { lines: number } }[] = parse(text, {
    bom: true,
    columns: readHeader,
    delimiter,
    info: true,
    // Spreadsheets copy a quote inside a cell as it is.
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

/** A column's name, whatever its case, and with spaces or underscores for dashes. */
export const columnName = (title: string): string => title.trim().toLowerCase().replaceAll(/[\s_]/g, "-");
