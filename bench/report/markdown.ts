import { cellsOf, describeTarget } from "./figures.ts";
import { type CaseOutcome, type RunResult, tallyLine } from "./run-result.ts";

const rowOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

function tableOf(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const rule = head.map((_, column) => (column === 0 ? "---" : "--:"));
  return [head, rule, ...body].map(rowOf).join("\n");
}

function sectionOf({ title, result, failure }: CaseOutcome): string {
  const parts = [`## ${title}`];
  if (failure !== null) parts.push(`Could not be measured: ${failure}`);
  if (result === null) return parts.join("\n\n");
  if (result.rows.length > 0) parts.push(tableOf(cellsOf(result.rows)));
  const lines = [
    ...result.targets.map((target) => `- ${target.isMet ? "met" : "**missed**"}: ${describeTarget(target)}`),
    ...result.absences.map(({ what, why }) => `- not run: ${what}: ${why}`),
  ];
  if (lines.length > 0) parts.push(lines.join("\n"));
  if (result.notes.length > 0) parts.push(result.notes.join(" "));
  return parts.join("\n\n");
}

/** Formats a full run as docs/bench.md. */
export function writePage({ startedAt, machine, cases }: RunResult): string {
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`);
  return `# Benchmarks

Made by \`npm run bench -- --write\`; [bench/README.md](../bench/README.md) describes how each figure is measured. All
figures of a table come from one run, unless its note says otherwise; compared contestants take turns. Figures are medians unless a
heading says otherwise.

Run of ${startedAt.slice(0, 10)} on ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGib} GiB, ${machine.system};
${versions.join(", ")}.

${cases.map(sectionOf).join("\n\n")}

${tallyLine(cases)}.
`;
}
