import { getTableName } from "drizzle-orm";
import { type Change, deleteChanges, oldestChanges } from "./change-store.ts";
import {
  CHARACTERS_MAX,
  type Copy,
  countOf,
  PREPARED,
  type PreparedGroup,
  replaceStatements,
  write,
} from "./copy-statements.ts";

/**
 * Copies recorded changes page by page. A change is deleted only after the target has the root's current rows, so a
 * page may be repeated; rows written while a page is copied are recorded again.
 */

/** Maximum number of changes per page. A root that was changed several times within a page is copied once. */
export const CHANGES_PER_PAGE = 500;

/** Result of one page of changes. */
interface ChangesCopied {
  /** Whether the read found no further changes. */
  readonly isLast: boolean;
  /** Maximum number of changes for the next page. */
  readonly limit: number;
  readonly rowsWritten: number;
}

/** Changed roots of one group, as JSON: the recorded keys, and the source's current rows. */
interface ChangedRoots {
  readonly prepared: PreparedGroup;
  readonly recordedKeys: string;
  readonly roots: string;
  readonly absent: string;
  readonly rows: readonly string[];
}

/** The distinct recorded keys by group. Groups without changes are omitted. */
function keysByGroup(changes: readonly Change[]): { prepared: PreparedGroup; keys: readonly string[] }[] {
  const keys = new Map<string, Set<string>>(
    PREPARED.filter(({ group }) => !group.isLate).map(({ group }) => [getTableName(group.root), new Set()]),
  );
  for (const { tableName, rootKey } of changes) {
    const ofTable = keys.get(tableName);
    if (ofTable === undefined) throw new Error(`a change of ${tableName}, which is not copied`);
    ofTable.add(rootKey);
  }
  return PREPARED.flatMap((prepared) => {
    const found = keys.get(getTableName(prepared.group.root));
    return found === undefined || found.size === 0 ? [] : [{ prepared, keys: [...found] }];
  });
}

/** Keys as a JSON list of roots, `[[key] …]`. */
const asRoots = (keys: readonly string[]): string => JSON.stringify(keys.map((key) => [key]));

/** The keys in a JSON list of roots. */
function keysOf(roots: string): ReadonlySet<unknown> {
  const read: unknown = JSON.parse(roots);
  return new Set(
    Array.isArray(read) ? read.map((root: unknown) => (Array.isArray(root) ? root[0] : null)) : [],
  );
}

/** Reads the changed roots from the source in one batch. */
async function readChanged(
  { workspaceId, source }: Copy,
  changes: readonly Change[],
): Promise<ChangedRoots[]> {
  const groups = keysByGroup(changes).map(({ prepared, keys }) => ({
    prepared,
    keys,
    recordedKeys: asRoots(keys),
  }));
  const results = await source.batch(
    groups.flatMap(({ prepared: { statements }, recordedKeys }) =>
      [statements.named, ...statements.rowsOf].map((statement) =>
        statement.bind(source, { workspaceId, roots: recordedKeys }),
      ),
    ),
  );
  let at = 0;
  return groups.map(({ prepared, keys, recordedKeys }) => {
    const { named, rowsOf } = prepared.statements;
    const [first, ...others] = results.slice(at, at + 1 + rowsOf.length);
    at += 1 + rowsOf.length;
    const roots = named.row(first)?.roots ?? "[]";
    const present = keysOf(roots);
    return {
      ...{ prepared, recordedKeys, roots },
      absent: asRoots(keys.filter((key) => !present.has(key))),
      rows: rowsOf.map((rows, index) => rows.row(others[index])?.rows ?? "[]"),
    };
  });
}

/**
 * Deletes from the target the roots that the source no longer has, last group first. Includes their dependents, whose
 * deletion may be recorded in a later page. Ledger rows are never deleted.
 */
const deletions = ({ workspaceId, target }: Copy, changed: readonly ChangedRoots[]) =>
  changed
    .toReversed()
    .flatMap(({ prepared: { group, statements }, absent }) =>
      group.write === "append" || absent === "[]"
        ? []
        : [...statements.deleteDependents, ...statements.deleteChildren, statements.deleteRoots].map(
            (deletion) => deletion.bind(target, { workspaceId, roots: absent }),
          ),
    );

/** Copies a page of at most `limit` changes, or fewer if their rows are too large. */
export async function copyChanges(copy: Copy, limit: number): Promise<ChangesCopied> {
  const { workspaceId, source } = copy;
  const recordedKeys = await oldestChanges.all(source, { workspaceId, limit });
  if (recordedKeys.length === 0) return { isLast: true, limit: CHANGES_PER_PAGE, rowsWritten: 0 };
  let page = recordedKeys;
  let changed = await readChanged(copy, page);
  const isTooLarge = () =>
    changed.some(({ rows, recordedKeys }) =>
      [recordedKeys, ...rows].some(({ length }) => length > CHARACTERS_MAX),
    );
  while (page.length > 1 && isTooLarge()) {
    page = page.slice(0, Math.ceil(page.length / 2));
    changed = await readChanged(copy, page);
  }
  await write(copy, [
    ...deletions(copy, changed),
    ...changed.flatMap(({ prepared, roots, rows }) => replaceStatements(copy, prepared, { roots, rows })),
  ]);
  await deleteChanges.run(source, { workspaceId, upTo: page.at(-1)?.sequence ?? 0 });
  return {
    isLast: page.length === recordedKeys.length && recordedKeys.length < limit,
    limit: page.length < recordedKeys.length ? page.length : CHANGES_PER_PAGE,
    rowsWritten: changed.reduce((sum, { rows }) => sum + rows.reduce((of, json) => of + countOf(json), 0), 0),
  };
}
