import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { DesignReader } from "../design-file.ts";
import { COLUMN_NAMES } from "../pack-fields.ts";
import { type PackInput, readPackInput } from "../pack-input.ts";
import { UsageError } from "../usage-error.ts";
import { columnName, type ParsedRow, parseTable } from "./parse-table.ts";

/** A row of a table: one pack. */
export interface Row {
  /** Line of the file on which the row ends, from 1. */
  readonly line: number;
  /** Folder of its pack: the column `name`, else the row's number. */
  readonly name: string;
  readonly input: PackInput;
}

/** A table is read whole before anything is paid, so it has to stay small. */
const TABLE_BYTES_MAX = 16_777_216;
const ROWS_MAX = 10_000;
const NAME_CHARACTERS_MAX = 100;
/** More than a person mends at once. */
const MISTAKES_SHOWN_MAX = 20;

/**
 * Reads every row of a CSV file; `defaults` fill in what a row leaves empty. Throws one `UsageError` with all mistakes,
 * each with its line: nothing is sent before all rows are right.
 */
export async function readRows(
  path: string,
  defaults: Readonly<Record<string, string | undefined>>,
): Promise<Row[]> {
  const records = parseRows(path, await readTable(path));
  if (records.length === 0) throw new UsageError(`${path} has no rows. Its first line names the columns.`);
  if (records.length > ROWS_MAX) {
    throw new UsageError(`${path} has ${records.length} rows. Split it: ${ROWS_MAX} is the most.`);
  }
  const mistakes: string[] = [];
  const lineOfName = new Map<string, number>();
  const designs = new DesignReader(dirname(resolve(path)));
  const rows: Row[] = [];
  for (const [at, { line, cells }] of records.entries()) {
    try {
      const name = folderName(cells.name, at, records.length);
      const earlier = lineOfName.get(name.toLowerCase());
      if (earlier !== undefined) throw new UsageError(`the name \`${name}\` is on line ${earlier} already`);
      lineOfName.set(name.toLowerCase(), line);
      rows.push({ line, name, input: await readPackInput(cells, designs, defaults) });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      mistakes.push(`line ${line}: ${error.message}`);
    }
  }
  throwMistakes(path, mistakes);
  return rows;
}

/** Throws what is wrong with a table's rows, if anything is. */
export function throwMistakes(path: string, mistakes: readonly string[]): void {
  if (mistakes.length === 0) return;
  const shown = mistakes.slice(0, MISTAKES_SHOWN_MAX);
  const more = mistakes.length - shown.length;
  if (more > 0) shown.push(`and ${more} more`);
  throw new UsageError(`${path} needs mending; nothing was ordered.\n  ${shown.join("\n  ")}`);
}

async function readTable(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true) throw new UsageError(`${path}: there is no such file. Check the path.`);
  if (found.size > TABLE_BYTES_MAX) throw new UsageError(`${path} is larger than 16 MiB. Split it.`);
  return readFile(path, "utf8");
}

function parseRows(path: string, text: string): ParsedRow[] {
  try {
    return parseTable(text, (header) => readHeader(path, header));
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error;
    throw new UsageError(`${path} cannot be read as CSV: ${error.message}`, { cause: error });
  }
}

function readHeader(path: string, header: readonly string[]): string[] {
  const columns = header.map(columnName);
  const unknown = header.filter((_, at) => !COLUMN_NAMES.includes(columns[at] ?? ""));
  if (unknown.length > 0) {
    const named = unknown.map((name) => `\`${name}\``).join(", ");
    throw new UsageError(
      `${path} has a column ${named} that is not known. Known are: ${COLUMN_NAMES.join(", ")}.`,
    );
  }
  const twice = columns.find((name, at) => columns.indexOf(name) !== at);
  if (twice !== undefined) throw new UsageError(`${path} has the column \`${twice}\` twice. Keep one.`);
  return columns;
}

/** A name that is a folder on every system. */
function folderName(given: string | undefined, at: number, rows: number): string {
  const name = given?.trim() ?? "";
  if (name === "") return `row-${String(at + 1).padStart(String(rows).length, "0")}`;
  const isPlain = /^[^/\\:*?"<>|\p{Cc}]+$/u.test(name) && !/^\.|\.$/.test(name);
  if (isPlain && name.length <= NAME_CHARACTERS_MAX) return name;
  throw new UsageError(
    `the name \`${name.slice(0, 60)}\` cannot be a folder. Use up to ${NAME_CHARACTERS_MAX} letters, digits, spaces and dashes`,
  );
}
