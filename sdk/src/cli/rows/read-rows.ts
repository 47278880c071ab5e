import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { DesignReader } from "../design-file.ts";
import { COLUMN_NAMES } from "../pack-fields.ts";
import { type PackInput, readPackInput } from "../pack-input.ts";
import { UsageError } from "../usage-error.ts";
import { columnName, type ParsedRow, parseTable } from "./parse-table.ts";

/** A row of a table: one pack. */
export interface Row {
  /** Number of the row's last line, from 1. */
  readonly line: number;
  /** Name of the pack's folder: the column `name`, or else `row-` and the row's number. */
  readonly name: string;
  readonly input: PackInput;
}

/** A mistake in a line of a table. */
export interface Mistake {
  readonly line: number;
  /** The message; it starts with the column's name. */
  readonly text: string;
}

/** A table is read completely before anything is paid, so its size is limited. */
const TABLE_BYTES_MAX = 16_777_216;
const ROWS_MAX = 10_000;
const NAME_CHARACTERS_MAX = 100;

/**
 * Reads all rows of a CSV file. `defaults` replace empty cells. Appends the mistakes of all lines to `mistakes`. Throws
 * a `UsageError` if the file is not a table of packs.
 */
export async function readRows(
  path: string,
  defaults: Readonly<Record<string, string | undefined>>,
  mistakes: Mistake[],
): Promise<Row[]> {
  const records = parseRows(path, await readTable(path), mistakes);
  if (records.length === 0 && mistakes.length === 0)
    throw new UsageError(`${path} has no rows. Its first line names the columns.`);
  if (records.length > ROWS_MAX) {
    throw new UsageError(`${path} has ${records.length} rows. Split it: ${ROWS_MAX} is the most.`);
  }
  const lineOfName = new Map<string, number>();
  const designs = new DesignReader(dirname(resolve(path)));
  const rows: Row[] = [];
  for (const [at, { line, cells }] of records.entries()) {
    const texts: string[] = [];
    const name = folderName(cells.name, at, records.length);
    const earlier = lineOfName.get(name.toLowerCase());
    if (earlier !== undefined) texts.push(`the name \`${name}\` is on line ${earlier} already`);
    else if (!isFolderName(name)) texts.push(noFolderName(name));
    else lineOfName.set(name.toLowerCase(), line);
    rows.push({ line, name, input: await readPackInput(cells, designs, texts, defaults) });
    mistakes.push(...texts.map((text) => ({ line, text })));
  }
  return rows;
}

async function readTable(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true) throw new UsageError(`${path}: there is no such file. Check the path.`);
  if (found.size > TABLE_BYTES_MAX) throw new UsageError(`${path} is larger than 16 MiB. Split it.`);
  return readFile(path, "utf8");
}

function parseRows(path: string, text: string, mistakes: Mistake[]): ParsedRow[] {
  try {
    return parseTable(
      text,
      (header) => readHeader(path, header),
      (line, reason) =>
        mistakes.push({
          line,
          text: `cannot be read as CSV: ${reason}. Put quotes around cells with separators or line breaks in them.`,
        }),
    );
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

/** Folder name of a row: its name, or `row-` and its number. */
function folderName(given: string | undefined, at: number, rows: number): string {
  const name = given?.trim() ?? "";
  return name === "" ? `row-${String(at + 1).padStart(String(rows).length, "0")}` : name;
}

/** Whether a name is a valid folder on every system. */
const isFolderName = (name: string): boolean =>
  /^[^/\\:*?"<>|\p{Cc}]+$/u.test(name) && !/^\.|\.$/.test(name) && name.length <= NAME_CHARACTERS_MAX;

const noFolderName = (name: string): string =>
  `the name \`${name.slice(0, 60)}\` cannot be a folder. Use up to ${NAME_CHARACTERS_MAX} letters, digits, spaces and dashes`;
