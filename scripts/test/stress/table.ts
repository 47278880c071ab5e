import { LOSSES, type StressResult } from "./result.ts";

/** A part in the table. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** Null if the part left no result. */
  readonly result: StressResult | null;
  readonly hasPassed: boolean;
  /** Whether the part exceeded its time limit. */
  readonly isOutOfTime: boolean;
  /** Minimum counts of the run. */
  readonly atLeast: Readonly<Record<string, number>>;
  readonly durationMs: number;
}

/** Amounts below plan, such as `820 of 1,000 sequences`. */
const shortOf = (result: StressResult | null, wanted: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(wanted)
    .map(([what, least]) => ({ what, least, count: result?.counts[what] ?? 0 }))
    .filter(({ count, least }) => count < least)
    .map(
      ({ what, least, count }) => `${count.toLocaleString("en")} of ${least.toLocaleString("en")} ${what}`,
    );

/** Amounts below the minimum. */
export const missedIn = ({ result, atLeast }: Row): readonly string[] => shortOf(result, atLeast);

const hasFault = ({ hasPassed, result }: Row): boolean =>
  !hasPassed || LOSSES.some((loss) => result?.[loss] !== 0);

/** Progress of a part that ran out of time without a finding; null for other parts. */
export function unfinished(row: Row): string | null {
  if (row.isOutOfTime) return "not finished";
  const short = shortOf(row.result, row.result?.planned ?? {});
  return short.length === 0 || hasFault(row) ? null : `not finished, ${short.join(", ")}`;
}

/** Outcome of a part: passed, out of time, or failed. */
export function markOf(row: Row): "pass" | "TIME" | "FAIL" {
  if (unfinished(row) !== null) return "TIME";
  return hasFault(row) || missedIn(row).length > 0 ? "FAIL" : "pass";
}

const HEAD = ["", "part", "what", "how many", ...LOSSES, "time"];
const COUNTS_PER_LINE = 2;

const timeOf = (durationMs: number): string => {
  const seconds = Math.round(durationMs / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** The lines of a part, with two counts per line. */
function linesOf(row: Row): string[][] {
  const counts = Object.entries(row.result?.counts ?? {}).map(
    ([what, count]) => `${count.toLocaleString("en")} ${what}`,
  );
  const groups = [unfinished(row) ?? []].flat();
  for (let at = 0; at < counts.length; at += COUNTS_PER_LINE) {
    groups.push(counts.slice(at, at + COUNTS_PER_LINE).join(", "));
  }
  const losses = LOSSES.map((loss) => String(row.result?.[loss] ?? "?"));
  const [first = "", ...rest] = groups;
  return [
    [markOf(row), row.name, row.title, first, ...losses, timeOf(row.durationMs)],
    ...rest.map((group) => ["", "", "", group]),
  ];
}

/** All parts in columns, with a header. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.flatMap(linesOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const padded = (line: readonly string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return lines.map((line) => padded(line).join("  ").trimEnd()).join("\n");
}
