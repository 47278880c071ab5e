import type { WorkBudget } from "./limits.ts";
import { isLetter, Scanner, separatedParts } from "./scanner.ts";

/** Upper bounds of units in CSS pixels (CSS Values 4, 6.2). `em` and `ex` are those of the rasteriser's font size. */
const UNIT_PX: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["px", 1],
  ["pt", 4 / 3],
  ["pc", 16],
  ["mm", 96 / 25.4],
  ["cm", 96 / 2.54],
  ["in", 96],
  ["em", 16],
  ["ex", 8],
]);

/** A length in user units; percentages refer to `viewBoxSide`. 0 when absent, null when unreadable. */
export function readLength(text: string | undefined, viewBoxSide: number, steps: WorkBudget): number | null {
  if (text === undefined) return 0;
  const scanner = new Scanner(text, steps);
  scanner.skipSpace();
  const number = scanner.takeNumber();
  scanner.skipSpace();
  const isShare = scanner.take("%");
  const unit = isShare ? "" : scanner.takeWhile(isLetter);
  scanner.skipSpace();
  const scale = isShare ? viewBoxSide / 100 : UNIT_PX.get(unit.toLowerCase());
  return number === null || scale === undefined || !scanner.isAtEnd ? null : number * scale;
}

/** A dash array, which repeats along an outline. Each member is a dash or a gap. */
export interface DashArray {
  readonly members: number;
  /** The sum of the members' lengths. */
  readonly period: number;
}

/** A dash array of at most `most` members. */
export function readDashArray(text: string, most: number, viewBoxSide: number, steps: WorkBudget): DashArray {
  if (text === "none") return { members: 0, period: 0 };
  const members = separatedParts(text, most, steps);
  const period = members.reduce(
    (sum, member) => sum + Math.abs(readLength(member, viewBoxSide, steps) ?? 0),
    0,
  );
  return { members: members.length, period };
}

export const dashesAlong = ({ members, period }: DashArray, length: number): number =>
  period === 0 ? 0 : (length / period + 1) * members;
