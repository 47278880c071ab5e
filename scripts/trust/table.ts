import { LOSSES, type TrustResult } from "./result.ts";

/** A part as the table shows it. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** Null when the part left no result. */
  readonly result: TrustResult | null;
  readonly hasPassed: boolean;
  /** Counts that the run had to reach. */
  readonly atLeast: Readonly<Record<string, number>>;
  readonly durationMs: number;
}

/** What was tried less often than it had to be, as `12 of 20 kills`. */
export const missedIn = ({ result, atLeast }: Row): readonly string[] =>
  Object.entries(atLeast)
    .filter(([what, least]) => (result?.counts[what] ?? 0) < least)
    .map(([what, least]) => `${result?.counts[what] ?? 0} of ${least} ${what}`);

export const isClean = (row: Row): boolean =>
  row.hasPassed &&
  row.result !== null &&
  LOSSES.every((loss) => row.result?.[loss] === 0) &&
  missedIn(row).length === 0;

const HEAD = ["", "part", "what", "how many", ...LOSSES, "time"];
const COUNTS_PER_LINE = 2;

const timeOf = (durationMs: number): string => {
  const seconds = Math.round(durationMs / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** The lines of a part: its figures stand under each other, two a line. */
function linesOf(row: Row): string[][] {
  const counts = Object.entries(row.result?.counts ?? {}).map(
    ([what, count]) => `${count.toLocaleString("en")} ${what}`,
  );
  const groups: string[] = [];
  for (let at = 0; at < counts.length; at += COUNTS_PER_LINE) {
    groups.push(counts.slice(at, at + COUNTS_PER_LINE).join(", "));
  }
  const losses = LOSSES.map((loss) => (row.result === null ? "?" : String(row.result[loss])));
  const [first = "", ...rest] = groups;
  const mark = isClean(row) ? "pass" : "FAIL";
  return [
    [mark, row.name, row.title, first, ...losses, timeOf(row.durationMs)],
    ...rest.map((group) => ["", "", "", group, "", "", "", "", ""]),
  ];
}

/** All parts in columns, with a head. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.flatMap(linesOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
