import { type GroupStatements, groupStatements } from "./copy-store.ts";
import { beginCopying, endCopying } from "./move-store.ts";
import { MOVED_GROUPS, type TableGroup } from "./move-tables.ts";

/** Shared by all ways of copying: the groups with their statements, and the batch that may write to the target. */

/** The two sides, and the fencing token for writes to the target. */
export interface Copy {
  readonly workspaceId: string;
  readonly source: D1Database;
  readonly target: D1Database;
  /** The source's name, as in the forwarder on the target. */
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

/** Maximum characters of JSON per bound value: D1 allows 2 MB, and a character may have three bytes. */
export const CHARACTERS_MAX = 600_000;

/** Length of a JSON list. */
export function countOf(json: string): number {
  const read: unknown = JSON.parse(json);
  return Array.isArray(read) ? read.length : 0;
}

/** Runs statements on the target in a batch that fails without this attempt's fencing token. */
export const write = (copy: Copy, statements: readonly D1PreparedStatement[]): Promise<unknown> =>
  copy.target.batch([beginCopying.bind(copy.target, copy), ...statements, endCopying.bind(copy.target, {})]);

/** Statements that replace the target's rows of given roots by the source's. */
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
