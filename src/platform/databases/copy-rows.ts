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
 * Synchronizes a workspace's rows between two databases, page by page. Compares before it writes, so a page may be
 * repeated, and a pass without changes proves both sides equal.
 */

/** Progress of a pass. */
export interface PassPosition {
  /** First deletes rows that the source no longer has, last group first; then copies the rest. */
  readonly part: "delete" | "copy";
  /**
   * Indexes of the groups that remain in this part. Null at the start of the part: the first pages of all groups are
   * then compared together, and only groups that differ or have a second page remain.
   */
  readonly groups: readonly number[] | null;
  /** Value of the `order` column in the page's first root; null for the group's first page. */
  readonly from: string | number | null;
  /** Roots per page; 0 for the group's default. */
  readonly limit: number;
  /** Number of roots changed by this pass. */
  readonly changed: number;
}

/** Result of one page: the next position, or the end of the pass. */
interface PageDone {
  readonly position: PassPosition;
  readonly isEnd: boolean;
  readonly rowsWritten: number;
}

/** After a page with fewer characters of JSON, the next page has twice as many roots. */
const CHARACTERS_SMALL = 120_000;
const PAGE_ROWS_MAX = 1_000;
/**
 * Maximum number of roots deleted at once. Only their keys are read, and the number of statements does not depend on
 * the page's size.
 */
const DELETED_ROOTS = 1_000;
/** Roots per page if only their keys are read, about eighty characters each. */
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

/** Groups that have a second page of roots on the target, or roots that are missing in the source. */
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
    // Roots of these groups are never deleted: ledger rows, and payment events that only the target has.
    if (group.write === "append" || group.write === "merge") return [];
    const isDone = (pages[at]?.next ?? null) === null && statements.missing.row(missing[at])?.roots === "[]";
    return isDone ? [] : [at];
  });
}

/** Deletes the root rows of one target page that are missing in the source. */
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
  /** One JSON list per table. */
  readonly rows: readonly string[];
}

/** Statements that read a page; `pageIn` parses their results. */
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

/** Statements that read the target's rows of a page; `areRows` compares their results. */
const rowsOfStatements = ({ workspaceId, target }: Copy, { statements }: PreparedGroup, roots: string) =>
  statements.rowsOf.map((rowsOf) => rowsOf.bind(target, { workspaceId, roots }));

const areRows = ({ statements }: PreparedGroup, { rows }: ReadPage, results: readonly D1Result[]): boolean =>
  statements.rowsOf.every((rowsOf, index) => (rowsOf.row(results[index])?.rows ?? "[]") === rows[index]);

/** Splits a batch's results by group. */
function* resultsByGroup(groups: readonly PreparedGroup[], results: readonly D1Result[], extra: number) {
  let at = 0;
  for (const prepared of groups) {
    const count = prepared.statements.rows.length + extra;
    yield { prepared, results: results.slice(at, at + count) };
    at += count;
  }
}

/** Reads the first pages of groups and compares them with the target's, with one round trip to each side. */
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

/** Groups whose first pages differ, or that have a second page. */
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
 * Copies the late groups, once writes are refused. Nearly all groups have one page; together these take three round
 * trips. Returns the number of written rows.
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

/** Advances an exhausted part: to the next part, or to the end of the pass. */
function onward(position: PassPosition): { position: PassPosition; isEnd: boolean } {
  if (position.groups === null || position.groups.length > 0) return { position, isEnd: false };
  const isEnd = position.part === "copy";
  return { position: isEnd ? position : beginPart("copy", position.changed), isEnd };
}

/**
 * Runs one page of a pass. `isWhole` includes the late groups, which are copied only while writes are refused. A page
 * may be repeated after any failure.
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
 * Deletes a page of rows from a database that is not the workspace's, dependents first. Returns false once only the
 * forwarder's rows remain.
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
