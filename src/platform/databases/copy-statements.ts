import { type GroupStatements, groupStatements } from "./copy-store.ts";
import { beginCopying, endCopying } from "./move-store.ts";
import { MOVED_GROUPS, type TableGroup } from "./move-tables.ts";

/** What every way of copying rows has in common: the groups with their statements, and the batch that may write. */

/** The two sides, and what lets this attempt write to the second. */
export interface Copy {
  readonly workspaceId: string;
  readonly source: D1Database;
  readonly target: D1Database;
  /** The name of the source, where the target's row says that the workspace lives. */
  readonly home: string;
  readonly since: number;
}

export interface PreparedGroup {
  readonly group: TableGroup;
  readonly statements: GroupStatements;
}

export const PREPARED: readonly PreparedGroup[] = MOVED_GROUPS.map((group) => ({
  group,
  statements: groupStatements(group),
}));

/** Characters of JSON that are bound as one value: D1 takes 2 MB, and a character may be three bytes. */
export const CHARACTERS_MAX = 600_000;

/** How many there are in a JSON list. */
export function countOf(json: string): number {
  const read: unknown = JSON.parse(json);
  return Array.isArray(read) ? read.length : 0;
}

/** Runs statements on the target in a batch that nothing but this attempt at the copy can be. */
export const write = (copy: Copy, statements: readonly D1PreparedStatement[]): Promise<unknown> =>
  copy.target.batch([beginCopying.bind(copy.target, copy), ...statements, endCopying.bind(copy.target, {})]);

/** Statements that write rows of given roots as they are on the source, in place of those that the target has. */
export function replaceStatements(
  { workspaceId, target }: Copy,
  { group, statements }: PreparedGroup,
  { roots, rows }: { readonly roots: string; readonly rows: readonly string[] },
): D1PreparedStatement[] {
  const given = { workspaceId, roots };
  const [rowsOfRoots = "[]"] = rows;
  return [
    ...statements.deleteChildren.map((deletion) => deletion.bind(target, given)),
    ...(group.write === "replace" ? [statements.deleteRoots.bind(target, given)] : []),
    ...(statements.endOthers === null
      ? []
      : [statements.endOthers.bind(target, { workspaceId, rows: rowsOfRoots })]),
    ...statements.insert.map((insert, index) => insert.bind(target, { roots, rows: rows[index] ?? "[]" })),
  ];
}
