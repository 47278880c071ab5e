import { LOSSES, type StressResult } from "./result.ts";

/** A part as the table shows it. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** Null when the part left no result. */
  readonly result: StressResult | null;
  readonly hasPassed: boolean;
  /** Whether it was ended because its time was over. */
  readonly isOutOfTime: boolean;
  /** Counts that the run had to reach. */
  readonly atLeast: Readonly<Record<string, number>>;
  readonly durationMs: number;
}

/** What was tried less often than it had to be, as `12 of 20 kills`. */
export const missedIn = ({ result, atLeast }: Row): readonly string[] =>
  Object.entries(atLeast)
    .filter(([what, least]) => (result?.counts[what] ?? 0) < least)
    .map(([what, least]) => `${result?.counts[what] ?? 0} of ${least} ${what}`);

/** What the part set out to try and had no time for, as `820 of 1,000 sequences`. */
const unfinishedIn = ({ result }: Row): readonly string[] =>
  Object.entries(result?.planned ?? {})
    .filter(([what, planned]) => (result?.counts[what] ?? 0) < planned)
    .map(
      ([what, planned]) =>
        `${(result?.counts[what] ?? 0).toLocaleString("en")} of ${planned.toLocaleString("en")} ${what}`,
    );

/** That a part had too little time and found nothing wrong until then, in words; null of any other. */
export function unfinished(row: Row): string | null {
  if (row.isOutOfTime) return "not finished";
  const parts = unfinishedIn(row);
  const isWithoutFault = row.hasPassed && LOSSES.every((loss) => row.result?.[loss] === 0);
  return parts.length > 0 && isWithoutFault ? `not finished, ${parts.join(", ")}` : null;
}

export const isClean = (row: Row): boolean =>
  row.hasPassed &&
  row.result !== null &&
  LOSSES.every((loss) => row.result?.[loss] === 0) &&
  unfinished(row) === null &&
  missedIn(row).length === 0;

/** How a part ended: as it should, too early for want of time, or with something wrong. */
export const markOf = (row: Row): "pass" | "TIME" | "FAIL" =>
  isClean(row) ? "pass" : unfinished(row) === null ? "FAIL" : "TIME";

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
  const ended = unfinished(row);
  const groups: string[] = ended === null ? [] : [ended];
  for (let at = 0; at < counts.length; at += COUNTS_PER_LINE) {
    groups.push(counts.slice(at, at + COUNTS_PER_LINE).join(", "));
  }
  const losses = LOSSES.map((loss) => (row.result === null ? "?" : String(row.result[loss])));
  const [first = "", ...rest] = groups;
  return [
    [markOf(row), row.name, row.title, first, ...losses, timeOf(row.durationMs)],
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
