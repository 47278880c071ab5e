import {
  CHARACTERS_MAX,
  type Copy,
  countOf,
  PREPARED,
  type PreparedGroup,
  replaceStatements,
  write,
} from "./copy-statements.ts";
import { firstOrder } from "./copy-store.ts";
import { beginCopying, endCopying } from "./move-store.ts";

/**
 * Brings the rows of a workspace in one database in step with those in another, a page after the other. It compares before
 * it writes, so that a page may come twice, and a whole pass that changes nothing has shown that both are equal.
 */

/** How far a pass has come. */
export interface PassPosition {
  /** First what the source has no longer is deleted, last group first; then the rest is copied. */
  readonly part: "delete" | "copy";
  /**
   * Groups that are left in this part, by their place. Null at its beginning: the first pages of all are compared together, and
   * groups that are equal in them and have no more are done.
   */
  readonly groups: readonly number[] | null;
  /** The first root of the page; null for the group's first. */
  readonly from: string | number | null;
  /** Roots in a page; 0 for the group's own number. */
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

/** With less than this the next page may be larger. */
const CHARACTERS_SMALL = 120_000;
const PAGE_ROWS_MAX = 1_000;
/** Roots that are deleted at once: nothing but their keys is read, and a page costs as many statements as a small one. */
const DELETED_ROOTS = 1_000;
/** Of roots that are only named, each some eighty characters. */
const NAMED_ROOTS = 2_000;

const groupsOf = (isWhole: boolean): readonly PreparedGroup[] =>
  isWhole ? PREPARED : PREPARED.filter(({ group }) => !group.isLate);

const beginPart = (part: PassPosition["part"], changed: number): PassPosition => ({
  part,
  groups: null,
  from: null,
  limit: 0,
  changed,
});

export const FIRST_POSITION: PassPosition = beginPart("delete", 0);

type PageOf = { readonly workspaceId: string; readonly from: string | number; readonly limit: number };

const firstPage = (copy: Copy, { group }: PreparedGroup, limit: number): PageOf => ({
  workspaceId: copy.workspaceId,
  from: firstOrder(group),
  limit,
});

/** The groups of which the target has roots beyond its first page, or that the source does not have. */
async function groupsWithAbsent(copy: Copy, groups: readonly PreparedGroup[]): Promise<number[]> {
  const { workspaceId, source, target } = copy;
  const results = await target.batch(
    groups.map((prepared) => prepared.statements.roots.bind(target, firstPage(copy, prepared, NAMED_ROOTS))),
  );
  const pages = groups.map(({ statements }, at) => statements.roots.row(results[at]));
  const missing = await source.batch(
    groups.map(({ statements }, at) =>
      statements.missing.bind(source, { workspaceId, roots: pages[at]?.roots ?? "[]" }),
    ),
  );
  return groups.flatMap(({ group, statements }, at) => {
    // The ledger is only ever added to, and events may wait on the target alone.
    if (group.write === "append" || group.write === "merge") return [];
    const isDone = (pages[at]?.next ?? null) === null && statements.missing.row(missing[at])?.roots === "[]";
    return isDone ? [] : [at];
  });
}

/** Deletes of a page of the target's roots those that the source does not have. */
async function deleteAbsent(
  copy: Copy,
  { statements }: PreparedGroup,
  pageOf: PageOf,
): Promise<{ next: string | number | null; count: number }> {
  const { workspaceId, source, target } = copy;
  const page = await statements.roots.first(target, pageOf);
  if (page === null || page.roots === "[]") return { next: null, count: 0 };
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

/** Statements that read a page, and the page from what they have found. */
const pageStatements = (db: D1Database, { statements }: PreparedGroup, pageOf: PageOf) =>
  [statements.roots, ...statements.rows].map((statement) => statement.bind(db, pageOf));

function pageIn({ statements }: PreparedGroup, results: readonly D1Result[]): ReadPage {
  const [first, ...others] = results;
  const page = statements.roots.row(first);
  return {
    roots: page?.roots ?? "[]",
    next: page?.next ?? null,
    rows: statements.rows.map((rows, index) => rows.row(others[index])?.rows ?? "[]"),
  };
}

/** Statements that read the target's rows of a page, and whether those they have found are the page's. */
const rowsOfStatements = ({ workspaceId, target }: Copy, { statements }: PreparedGroup, roots: string) =>
  statements.rowsOf.map((rowsOf) => rowsOf.bind(target, { workspaceId, roots }));

const areRows = ({ statements }: PreparedGroup, { rows }: ReadPage, results: readonly D1Result[]): boolean =>
  statements.rowsOf.every((rowsOf, index) => (rowsOf.row(results[index])?.rows ?? "[]") === rows[index]);

/** Takes the results of one group after the other out of those of a batch. */
function* resultsByGroup(groups: readonly PreparedGroup[], results: readonly D1Result[], extra: number) {
  let at = 0;
  for (const prepared of groups) {
    const count = prepared.statements.rows.length + extra;
    yield { prepared, results: results.slice(at, at + count) };
    at += count;
  }
}

/** The first pages of groups, and whether the target has the same, in one trip to each side. */
async function firstPages(copy: Copy, groups: readonly PreparedGroup[]) {
  const { source, target } = copy;
  const read = await source.batch(
    groups.flatMap((prepared) =>
      pageStatements(source, prepared, firstPage(copy, prepared, prepared.group.pageRows)),
    ),
  );
  const pages = [...resultsByGroup(groups, read, 1)].map(({ prepared, results }) => ({
    prepared,
    page: pageIn(prepared, results),
  }));
  const found = await target.batch(
    pages.flatMap(({ prepared, page }) => rowsOfStatements(copy, prepared, page.roots)),
  );
  const compared = [...resultsByGroup(groups, found, 0)];
  return pages.map(({ prepared, page }, at) => ({
    ...{ prepared, page },
    isEqual: areRows(prepared, page, compared[at]?.results ?? []),
  }));
}

/** The groups whose first pages differ, or that have more pages than one. */
async function groupsThatDiffer(copy: Copy, groups: readonly PreparedGroup[]): Promise<number[]> {
  const pages = await firstPages(copy, groups);
  return pages.flatMap(({ page, isEqual }, at) => (page.next === null && isEqual ? [] : [at]));
}

const rowsIn = ({ rows }: ReadPage): number => rows.reduce((sum, json) => sum + countOf(json), 0);

async function copyPage(
  copy: Copy,
  prepared: PreparedGroup,
  pageOf: PageOf,
): Promise<{ next: string | number | null; limit: number; changed: number; rowsWritten: number }> {
  const { source, target } = copy;
  const { from, limit } = pageOf;
  const page = pageIn(prepared, await source.batch(pageStatements(source, prepared, pageOf)));
  if (page.roots === "[]") return { next: null, limit, changed: 0, rowsWritten: 0 };
  const characters = Math.max(...page.rows.map(({ length }) => length));
  if (characters > CHARACTERS_MAX && limit > 1) {
    return { next: from, limit: Math.ceil(limit / 2), changed: 0, rowsWritten: 0 };
  }
  const grown = characters < CHARACTERS_SMALL ? Math.min(limit * 2, PAGE_ROWS_MAX) : limit;
  const found = await target.batch(rowsOfStatements(copy, prepared, page.roots));
  if (areRows(prepared, page, found)) return { next: page.next, limit: grown, changed: 0, rowsWritten: 0 };
  await write(copy, replaceStatements(copy, prepared, page));
  return { next: page.next, limit: grown, changed: countOf(page.roots), rowsWritten: rowsIn(page) };
}

/**
 * Copies the groups that are copied only once nothing is written. Those of one page, as nearly all are, take three trips
 * together. Returns how many rows were written.
 */
export async function copyLate(copy: Copy): Promise<number> {
  const pages = await firstPages(
    copy,
    PREPARED.filter(({ group }) => group.isLate),
  );
  const isShort = ({ next, rows }: ReadPage) =>
    next === null && rows.every(({ length }) => length <= CHARACTERS_MAX);
  const differing = pages.filter(({ page, isEqual }) => isShort(page) && !isEqual);
  if (differing.length > 0) {
    await write(
      copy,
      differing.flatMap(({ prepared, page }) => replaceStatements(copy, prepared, page)),
    );
  }
  let rowsWritten = differing.reduce((sum, { page }) => sum + rowsIn(page), 0);
  for (const { prepared } of pages.filter(({ page }) => !isShort(page))) {
    let pageOf: PageOf | null = firstPage(copy, prepared, prepared.group.pageRows);
    while (pageOf !== null) {
      const done = await copyPage(copy, prepared, pageOf);
      rowsWritten += done.rowsWritten;
      pageOf = done.next === null ? null : { ...pageOf, from: done.next, limit: done.limit };
    }
  }
  return rowsWritten;
}

/** The position behind what was done of a part: its next group, the next part, or the end of the pass. */
function onward(position: PassPosition): { position: PassPosition; isEnd: boolean } {
  if (position.groups === null || position.groups.length > 0) return { position, isEnd: false };
  const isEnd = position.part === "copy";
  return { position: isEnd ? position : beginPart("copy", position.changed), isEnd };
}

/**
 * Does one page of a pass. `isWhole`: also the groups that are copied only while nothing is written. A page that is broken
 * off anywhere may be done again.
 */
export async function doPage(copy: Copy, position: PassPosition, isWhole: boolean): Promise<PageDone> {
  const prepared = groupsOf(isWhole);
  const { part, groups, changed } = position;
  if (groups?.length === 0) return { ...onward(position), rowsWritten: 0 };
  if (groups === null) {
    const left =
      part === "delete"
        ? (await groupsWithAbsent(copy, prepared)).toReversed()
        : await groupsThatDiffer(copy, prepared);
    return { ...onward({ ...position, groups: left }), rowsWritten: 0 };
  }
  const [place, ...others] = groups;
  const one = prepared[place ?? -1];
  if (one === undefined) throw new Error("a pass without that group");
  const pageOf = {
    workspaceId: copy.workspaceId,
    from: position.from ?? firstOrder(one.group),
    limit: position.limit || (part === "delete" ? NAMED_ROOTS : one.group.pageRows),
  };
  const done =
    part === "delete"
      ? await deleteAbsent(copy, one, pageOf).then(({ next, count }) => ({
          ...{ next, limit: pageOf.limit, changed: count, rowsWritten: 0 },
        }))
      : await copyPage(copy, one, pageOf);
  const isGroupDone = done.next === null;
  const next: PassPosition = {
    part,
    groups: isGroupDone ? others : groups,
    from: done.next,
    limit: isGroupDone ? 0 : done.limit,
    changed: changed + done.changed,
  };
  return { ...onward(next), rowsWritten: done.rowsWritten };
}

/**
 * Deletes a page of the rows that lie in a database where the workspace does not live, those first that others do not name.
 * False once there are none but what a forwarder keeps.
 */
export async function deletePage({
  workspaceId,
  db,
  home,
  since,
}: Omit<Copy, "source" | "target"> & { readonly db: D1Database }): Promise<boolean> {
  const groups = PREPARED.filter(({ group }) => !group.isLeftBehind);
  const results = await db.batch(
    groups.map(({ group, statements }) =>
      statements.roots.bind(db, { workspaceId, from: firstOrder(group), limit: DELETED_ROOTS }),
    ),
  );
  const pages = groups.map(({ statements }, at) => statements.roots.row(results[at])?.roots ?? "[]");
  const last = pages.findLastIndex((roots) => roots !== "[]");
  const statements = groups[last]?.statements;
  const roots = pages[last];
  if (statements === undefined || roots === undefined) return false;
  await db.batch([
    beginCopying.bind(db, { workspaceId, home, since }),
    ...[...statements.deleteChildren, statements.deleteRoots].map((deletion) =>
      deletion.bind(db, { workspaceId, roots }),
    ),
    endCopying.bind(db, {}),
  ]);
  return true;
}
