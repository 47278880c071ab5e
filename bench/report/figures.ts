import type { Row, Target } from "../bench-case.ts";

/**
 * Formats a figure with about three significant digits; integers and values from 100 have no decimals. Null is a dash.
 */
function formatFigure(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const magnitude = Math.abs(value);
  if (magnitude >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString("en");
  return value.toFixed(magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : magnitude >= 0.1 ? 3 : 4);
}

/** The headings of a case's rows, in the order of their first use. */
const headingsOf = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.flatMap(({ figures }) => Object.keys(figures))),
];

/** Rows as text: the label, then a figure under each heading. */
export function cellsOf(rows: readonly Row[]): readonly (readonly string[])[] {
  const headings = headingsOf(rows);
  return [
    ["", ...headings],
    ...rows.map(({ label, figures }) => [
      label,
      ...headings.map((heading) => formatFigure(figures[heading])),
    ]),
  ];
}

/** Describes a target, such as `times of the render: 1.2 (target: at most 1.5)`. */
export function describeTarget({ claim, measured, bound, direction }: Target): string {
  return `${claim}: ${formatFigure(measured)} (target: ${direction} ${formatFigure(bound)})`;
}
