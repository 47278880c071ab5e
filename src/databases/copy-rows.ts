import { firstOrder, type GroupStatements, groupStatements } from "./copy-store.ts";
import { beginCopying, endCopying } from "./move-store.ts";
import { MOVED_GROUPS, type TableGroup } from "./move-tables.ts";

/**
 * Brings the rows of a workspace in one database in step with those in another, a page after the other. It compares before
 * it writes, so that a page may come twice, and a whole pass that changes nothing has shown that both are equal.
 */

/** The two sides, and what lets this attempt write to the second. */
export interface Copy {
  readonly workspaceId: string;
  readonly source: D1Database;
  readonly target: D1Database;
  /** The name of the source, where the target's row says that the workspace lives. */
  readonly home: string;
  readonly since: number;
}

/** How far a pass has come. */
export interface PassPosition {
  /** First what the source has no longer is deleted, last group first; then the rest is copied. */
  readonly part: "delete" | "copy";
  /** Of the groups of this pass, in the order of its part. */
  readonly group: number;
  /** The first root of the page; null for the group's first. */
  readonly from: string | number | null;
  /** Roots in a page. */
  readonly limit: number;
  /** Roots whose rows this pass has changed. */
  readonly changed: number;
}

/** What a page has done: where the pass goes on, or that it has ended. */
interface PageDone {
  readonly position: PassPosition;
  readonly isEnd: boolean;
  readonly rowsWritten: number;
}

/** Characters of JSON that are bound as one value: D1 takes 2 MB, and a character may be three bytes. */
const CHARACTERS_MAX = 600_000;
/** With less than this the next page may be larger. */
const CHARACTERS_SMALL = 120_000;
const PAGE_ROWS_MAX = 1_000;

interface PreparedGroup {
  readonly group: TableGroup;
  readonly statements: GroupStatements;
}

const PREPARED: readonly PreparedGroup[] = MOVED_GROUPS.map((group) => ({
  group,
  statements: groupStatements(group),
}));

const groupsOf = (isWhole: boolean): readonly PreparedGroup[] =>
  isWhole ? PREPARED : PREPARED.filter(({ group }) => !group.isLate);

const beginGroup = (part: PassPosition["part"], group: number, changed: number): PassPosition => ({
  part,
  group,
  from: null,
  limit: 0,
  changed,
});

export const FIRST_POSITION: PassPosition = beginGroup("delete", 0, 0);

const countOf = (json: string): number => {
  const read: unknown = JSON.parse(json);
  return Array.isArray(read) ? read.length : 0;
};

/** Runs statements on the target in a batch that nothing but this attempt at the copy can be. */
const write = (copy: Copy, statements: readonly D1PreparedStatement[]): Promise<unknown> =>
  copy.target.batch([beginCopying.bind(copy.target, copy), ...statements, endCopying.bind(copy.target, {})]);

/** Deletes of a page of the target's roots those that the source does not have. */
async function deleteAbsent(
  copy: Copy,
  { group, statements }: PreparedGroup,
  from: string | number,
  limit: number,
): Promise<{ next: string | number | null; count: number }> {
  const { workspaceId, source, target } = copy;
  const page = await statements.roots.first(target, { workspaceId, from, limit });
  if (page === null || page.roots === "[]") return { next: null, count: 0 };
  // The ledger is only ever added to.
  if (group.write === "append") return { next: null, count: 0 };
  const missing = await statements.missing.first(source, { workspaceId, roots: page.roots });
  const roots = missing?.roots ?? "[]";
  if (roots === "[]") return { next: page.next, count: 0 };
  const deletions = [...statements.deleteChildren, statements.deleteRoots];
  await write(
    copy,
    deletions.map((deletion) => deletion.bind(target, { workspaceId, roots })),
  );
  return { next: page.next, count: countOf(roots) };
}

interface ReadPage {
  readonly roots: string;
  readonly next: string | number | null;
  /** Of each table. */
  readonly rows: readonly string[];
}

async function readPage(
  { workspaceId, source }: Copy,
  { statements }: PreparedGroup,
  from: string | number,
  limit: number,
): Promise<ReadPage> {
  const given = { workspaceId, from, limit };
  const [first, ...others] = await source.batch([
    statements.roots.bind(source, given),
    ...statements.rows.map((rows) => rows.bind(source, given)),
  ]);
  const page = statements.roots.row(first);
  return {
    roots: page?.roots ?? "[]",
    next: page?.next ?? null,
    rows: statements.rows.map((rows, index) => rows.row(others[index])?.rows ?? "[]"),
  };
}

/** Writes a page whose rows differ. Returns how many rows that were. */
async function writePage(
  copy: Copy,
  { group, statements }: PreparedGroup,
  { roots, rows }: ReadPage,
): Promise<number> {
  const { workspaceId, target } = copy;
  const given = { workspaceId, roots };
  const inserts = statements.insert.map((insert, index) =>
    insert.bind(target, { roots, rows: rows[index] ?? "[]" }),
  );
  await write(copy, [
    ...statements.deleteChildren.map((deletion) => deletion.bind(target, given)),
    ...(group.write === "replace" ? [statements.deleteRoots.bind(target, given)] : []),
    ...inserts,
  ]);
  return rows.reduce((sum, json) => sum + countOf(json), 0);
}

/** Whether the target has the very rows of a page. */
async function isPageEqual(
  { workspaceId, target }: Copy,
  { statements }: PreparedGroup,
  { roots, rows }: ReadPage,
): Promise<boolean> {
  const results = await target.batch(
    statements.rowsOf.map((rowsOf) => rowsOf.bind(target, { workspaceId, roots })),
  );
  return statements.rowsOf.every(
    (rowsOf, index) => (rowsOf.row(results[index])?.rows ?? "[]") === rows[index],
  );
}

async function copyPage(
  copy: Copy,
  prepared: PreparedGroup,
  position: PassPosition,
): Promise<{ next: string | number | null; limit: number; changed: number; rowsWritten: number }> {
  const from = position.from ?? firstOrder(prepared.group);
  const limit = position.limit || prepared.group.pageRows;
  const page = await readPage(copy, prepared, from, limit);
  if (page.roots === "[]") return { next: null, limit, changed: 0, rowsWritten: 0 };
  const characters = Math.max(...page.rows.map(({ length }) => length));
  if (characters > CHARACTERS_MAX && limit > 1) {
    return { next: from, limit: Math.ceil(limit / 2), changed: 0, rowsWritten: 0 };
  }
  const grown = characters < CHARACTERS_SMALL ? Math.min(limit * 2, PAGE_ROWS_MAX) : limit;
  if (await isPageEqual(copy, prepared, page)) {
    return { next: page.next, limit: grown, changed: 0, rowsWritten: 0 };
  }
  const rowsWritten = await writePage(copy, prepared, page);
  return { next: page.next, limit: grown, changed: countOf(page.roots), rowsWritten };
}

/** Goes to the next group of the pass, or to its end. */
function afterGroup(position: PassPosition, count: number): { position: PassPosition; isEnd: boolean } {
  const next = position.group + 1;
  if (next < count) return { position: beginGroup(position.part, next, position.changed), isEnd: false };
  const isEnd = position.part === "copy";
  return { position: isEnd ? position : beginGroup("copy", 0, position.changed), isEnd };
}

/**
 * Does one page of a pass. `isWhole`: also the groups that are copied only while nothing is written. A page that is broken
 * off anywhere may be done again.
 */
export async function doPage(copy: Copy, position: PassPosition, isWhole: boolean): Promise<PageDone> {
  const groups = groupsOf(isWhole);
  if (position.part === "delete") {
    const prepared = groups.at(-1 - position.group);
    if (prepared === undefined) throw new Error("a pass without that group");
    const limit = position.limit || prepared.group.pageRows;
    const from = position.from ?? firstOrder(prepared.group);
    const { next, count } = await deleteAbsent(copy, prepared, from, limit);
    const moved = { ...position, from: next, limit, changed: position.changed + count };
    return next === null
      ? { ...afterGroup(moved, groups.length), rowsWritten: 0 }
      : { position: moved, isEnd: false, rowsWritten: 0 };
  }
  const prepared = groups[position.group];
  if (prepared === undefined) throw new Error("a pass without that group");
  const { next, limit, changed, rowsWritten } = await copyPage(copy, prepared, position);
  const moved = { ...position, from: next, limit, changed: position.changed + changed };
  return next === null
    ? { ...afterGroup(moved, groups.length), rowsWritten }
    : { position: moved, isEnd: false, rowsWritten };
}

/** How far the deletion of rows has come. */
export type EmptyPosition = Pick<PassPosition, "group">;

/**
 * Deletes a page of the rows that lie in a database where the workspace does not live, last group first. Null once there
 * are none. `isWhole`: also those that a forwarder keeps.
 */
export async function emptyPage(
  { workspaceId, db, home, since }: Omit<Copy, "source" | "target"> & { readonly db: D1Database },
  position: EmptyPosition,
  isWhole: boolean,
): Promise<EmptyPosition | null> {
  const groups = PREPARED.filter(({ group }) => isWhole || !group.isLeftBehind);
  const prepared = groups.at(-1 - position.group);
  if (prepared === undefined || position.group >= groups.length) return null;
  const { group, statements } = prepared;
  const page = await statements.roots.first(db, {
    workspaceId,
    from: firstOrder(group),
    limit: group.pageRows,
  });
  if (page === null || page.roots === "[]") return { group: position.group + 1 };
  const deletions = [...statements.deleteChildren, statements.deleteRoots];
  await db.batch([
    beginCopying.bind(db, { workspaceId, home, since }),
    ...deletions.map((deletion) => deletion.bind(db, { workspaceId, roots: page.roots })),
    endCopying.bind(db, {}),
  ]);
  return { group: position.group };
}
