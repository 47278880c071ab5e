import { styleText } from "node:util";
import { cellsOf, describeTarget } from "./figures.ts";
import type { CaseOutcome } from "./run-result.ts";

const GAP = "  ";

function alignColumns(cells: readonly (readonly string[])[]): string {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? "").length)),
  );
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

/** Prints the result of a case: its table, targets, missing measurements and remarks. */
export function printOutcome({ id, title, seconds, result, failure }: CaseOutcome): void {
  console.log(`\n${styleText("bold", `${id}: ${title}`)}  (${seconds.toFixed(0)} s)`);
  if (failure !== null) console.log(`${styleText("red", "could not be measured")}: ${failure}`);
  if (result === null) return;
  console.log(alignColumns(cellsOf(result.rows)).replace(/^/gm, GAP));
  for (const target of result.targets) {
    const verdict = target.isMet ? styleText("green", "met   ") : styleText("red", "missed");
    console.log(`${GAP}${verdict} ${describeTarget(target)}`);
  }
  for (const { what, why } of result.absences) {
    console.log(`${GAP}${styleText("yellow", "not run")} ${what}: ${why}`);
  }
  for (const note of result.notes) console.log(styleText("dim", `${GAP}${note}`));
}
