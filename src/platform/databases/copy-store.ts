import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Given, query, type Statement, statement } from "../db/statement.ts";
import type { TableGroup } from "./move-tables.ts";

/**
 * SQL that reads pages of a workspace's rows as JSON and writes them to another database. The JSON is passed on
 * unparsed.
 */

/** Start of a page, and its maximum number of roots. */
interface PageStart {
  readonly workspaceId: string;
  /** Value of the `order` column in the page's first root; `firstOrder` for the first page. */
  readonly from: string | number;
  readonly limit: number;
}

/** A page's roots as JSON, `[[key, order] …]`, and `from` of the next page; null at the end. */
interface RootPage {
  readonly roots: string;
  readonly next: string | number | null;
}

/** Roots of a workspace, as JSON like a page's. */
interface GivenRoots {
  readonly workspaceId: string;
  readonly roots: string;
}

/** The statements of one group. */
export interface GroupStatements {
  /** The roots of a page. */
  readonly roots: Statement<PageStart, RootPage>;
  /** Given roots of the other database that are missing here. */
  readonly missing: Statement<GivenRoots, { readonly roots: string }>;
  /** The existing roots among given keys, `[[key] …]`, in their order. */
  readonly named: Statement<GivenRoots, { readonly roots: string }>;
  /** The workspace's row count per table as a JSON list, the root table first. */
  readonly counts: Statement<{ workspaceId: string }, { readonly counts: string }>;
  /** A page's rows per table as JSON, in a canonical order; the root table first. */
  readonly rows: readonly Statement<PageStart, { readonly rows: string }>[];
  /** The rows of given roots, in the form of `rows`. */
  readonly rowsOf: readonly Statement<GivenRoots, { readonly rows: string }>[];
  /** Delete the roots' children, grandchildren first. */
  readonly deleteChildren: readonly Statement<GivenRoots, never>[];
  readonly deleteRoots: Statement<GivenRoots, never>;
  /** Delete rows of other groups that reference the roots. */
  readonly deleteDependents: readonly Statement<GivenRoots, never>[];
  /** Ends open root rows of the target that conflict with root rows to be written. Their real state is copied later. */
  readonly endOthers: Statement<{ workspaceId: string; rows: string }, never> | null;
  /** Write the rows that `rows` has read, the root table first. */
  readonly insert: readonly Statement<{ roots: string; rows: string }, never>[];
}

/** A value that sorts before all others: times and numbers are never negative, and no text is less than "". */
export const firstOrder = ({ order }: TableGroup): string | number => (order.dataType === "number" ? 0 : "");

const columnsOf = (table: SQLiteTable): SQLiteColumn[] => Object.values(getTableColumns(table));

const columnName = (column: SQLiteColumn): SQL => sql.identifier(column.name).getSQL();

const listOf = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);

/** The keys of a page's roots. */
const keysIn = (roots: SQL): SQL => sql`select page.value ->> 0 from json_each(${roots}) as page`;

/** The copied columns: all but a number that each database assigns. */
const copiedColumns = ({ number }: TableGroup, table: SQLiteTable): SQLiteColumn[] =>
  columnsOf(table).filter((column) => column !== number);

function rowsWhere(group: TableGroup, table: SQLiteTable, condition: SQL) {
  const values = copiedColumns(group, table).map((column) => {
    const translated = group.translated.find((one) => one.column === column);
    return translated === undefined ? sql`${column}` : translated.read;
  });
  const found = sql`(select json_array(${listOf(values)}) as row from ${table} where ${condition} order by row)`;
  return query.select({ rows: sql<string>`json_group_array(json(found.row))` }).from(sql`${found} as found`);
}

/** Selects `chosen` for the roots of a page. */
const pageOf = (group: TableGroup, given: Given<PageStart>, chosen: SQL): SQL => {
  const { root, key, order, isOf } = group;
  // If the key is also the order column, several rows may have the same key; otherwise keys are unique.
  return sql`select ${key === order ? sql`distinct ` : sql``}${chosen} from ${root}
    where ${isOf(sql`${given.workspaceId}`)} and ${order} >= ${given.from} order by ${order} limit ${given.limit}`;
};

const rootsStatement = (group: TableGroup): GroupStatements["roots"] =>
  statement((given: Given<PageStart>) => {
    const { root, key, order, isOf } = group;
    const page = pageOf(group, given, sql`${key} as root_key, ${order} as root_order`);
    const next = sql`(select ${key === order ? sql`distinct ` : sql``}${order} from ${root} where ${isOf(sql`${given.workspaceId}`)}
      and ${order} >= ${given.from} order by ${order} limit 1 offset ${given.limit})`;
    return query
      .select({
        roots: sql<string>`json_group_array(json_array(page.root_key, page.root_order))`,
        next: sql<string | number | null>`${next}`,
      })
      .from(sql`(${page}) as page`);
  });

/**
 * True for the workspace's roots with given keys. If keys are unique across workspaces, forces a look-up by key: the
 * database would otherwise scan all roots of the workspace. Where the workspace is part of the primary key, as for
 * Idempotency-Keys, another workspace may have the same key.
 */
function isOfRoots({ root, key, isOf }: TableGroup, keys: SQL, workspaceId: SQL): SQL {
  const isOfWorkspace = isOf(workspaceId);
  const isKeyUnique = getTableConfig(root).primaryKeys.length === 0;
  return sql`${key} in (${keys}) and ${isKeyUnique ? sql`(${isOfWorkspace}) is true` : isOfWorkspace}`;
}

const missingStatement = (group: TableGroup): GroupStatements["missing"] =>
  statement((given: Given<GivenRoots>) => {
    const { root, key } = group;
    const known = sql`select ${key} from ${root} where ${isOfRoots(group, keysIn(sql`${given.roots}`), sql`${given.workspaceId}`)}`;
    return query
      .select({ roots: sql<string>`json_group_array(json(page.value))` })
      .from(sql`json_each(${given.roots}) as page`)
      .where(sql`(page.value ->> 0) not in (${known})`);
  });

const namedStatement = (group: TableGroup): GroupStatements["named"] =>
  statement((given: Given<GivenRoots>) => {
    const { root, key, order } = group;
    const found = sql`(select distinct ${key} as root_key, ${order} as root_order from ${root}
      where ${isOfRoots(group, keysIn(sql`${given.roots}`), sql`${given.workspaceId}`)} order by ${order})`;
    return query
      .select({ roots: sql<string>`json_group_array(json_array(found.root_key, found.root_order))` })
      .from(sql`${found} as found`);
  });

const countsStatement = ({ root, key, isOf, children }: TableGroup): GroupStatements["counts"] =>
  statement((given: Given<{ workspaceId: string }>) => {
    const ofWorkspace = isOf(sql`${given.workspaceId}`);
    const keys = sql`select ${key} from ${root} where ${ofWorkspace}`;
    const counts = [
      sql`(select count(*) from ${root} where ${ofWorkspace})`,
      ...children.map((child) => sql`(select count(*) from ${child.table} where ${child.isOf(keys)})`),
    ];
    return query.select({ counts: sql<string>`json_array(${listOf(counts)})` }).from(sql`(select 1) as one`);
  });

/** The values of one copied row, by column index. */
const valuesOf = (group: TableGroup, columns: readonly SQLiteColumn[]): SQL[] =>
  columns.map((column, place) => {
    const value = sql`copied.value ->> ${sql.raw(String(place))}`;
    const translated = group.translated.find((one) => one.column === column);
    return translated === undefined ? value : translated.write(value);
  });

const insertPlain = (group: TableGroup, table: SQLiteTable) =>
  statement((given: Given<{ roots: string; rows: string }>) => {
    const columns = copiedColumns(group, table);
    return sql`insert or replace into ${table} (${listOf(columns.map(columnName))})
      select ${listOf(valuesOf(group, columns))} from json_each(${given.rows}) as copied`;
  });

/**
 * Inserts or updates roots in the order of the page. A new root's `number` is larger than all existing ones, and never
 * smaller than at the source.
 */
function insertRoots(group: TableGroup) {
  const { root, key, number, write } = group;
  return statement((given: Given<{ roots: string; rows: string }>) => {
    const columns = copiedColumns(group, root);
    const place = columns.indexOf(key);
    const behind = number && sql`(select coalesce(max(${number}), 0) from ${root}) + page.key + 1`;
    const numbers = behind === null ? [] : [sql`max(page.value ->> 1, ${behind})`];
    const names = listOf([...(number === null ? [] : [columnName(number)]), ...columns.map(columnName)]);
    const changed = columns.filter((column) => column !== key);
    const settled = sql`on conflict (${columnName(key)}) do update set ${listOf(
      changed.map((column) => sql`${columnName(column)} = excluded.${columnName(column)}`),
    )}`;
    const isNew = sql`not exists (select 1 from ${root} where ${key} = page.value ->> 0)`;
    return sql`insert into ${root} (${names}) select ${listOf([...numbers, ...valuesOf(group, columns)])}
      from json_each(${given.roots}) as page
      join json_each(${given.rows}) as copied on copied.value ->> ${sql.raw(String(place))} = page.value ->> 0
      where ${write === "append" ? isNew : sql`true`} order by page.key ${write === "append" ? sql`` : settled}`;
  });
}

/**
 * Ends an open root of the target that blocks a unique index for another open root of the source. At the source it has
 * ended since it was copied. Its real state is in the change log, or a later pass compares it.
 */
function endOthersStatement(group: TableGroup): GroupStatements["endOthers"] {
  const { root, key, isOf, oneOpen } = group;
  if (oneOpen === null) return null;
  const { alike, endedAt, createdAt } = oneOpen;
  const columns = copiedColumns(group, root);
  const copied = (column: SQLiteColumn) => sql`copied.value ->> ${sql.raw(String(columns.indexOf(column)))}`;
  return statement((given: Given<{ workspaceId: string; rows: string }>) => {
    const others = sql`select ${key} from json_each(${given.rows}) as copied join ${root} on ${sql.join(
      alike.map((column) => sql`${column} = ${copied(column)}`),
      sql` and `,
    )} where ${isOf(sql`${given.workspaceId}`)} and ${columnName(endedAt)} is null and ${copied(endedAt)} is null
      and ${key} <> ${copied(key)}`;
    return sql`update ${root} set ${columnName(endedAt)} = ${columnName(createdAt)} where ${columnName(key)} in (${others})`;
  });
}

/** Creates the statements of a group. Their SQL is generated at first use. */
export function groupStatements(group: TableGroup): GroupStatements {
  const { root, key, children, dependents, write } = group;
  // Children have ids, which are unique across workspaces.
  const isOf = (keys: SQL, workspaceId: SQL) => isOfRoots(group, keys, workspaceId);
  const tables = [{ table: root, isOf }, ...children];
  const deletionOf = ({ table, isOf }: (typeof tables)[number]) =>
    statement((given: Given<GivenRoots>) =>
      query.delete(table).where(isOf(keysIn(sql`${given.roots}`), sql`${given.workspaceId}`)),
    );
  const deletions = tables.map(deletionOf);
  const [deleteRoots, ...deleteChildren] = deletions;
  if (deleteRoots === undefined) throw new Error("a group without a root");
  return {
    roots: rootsStatement(group),
    missing: missingStatement(group),
    named: namedStatement(group),
    counts: countsStatement(group),
    rows: tables.map(({ table, isOf }) =>
      statement((given: Given<PageStart>) =>
        rowsWhere(group, table, isOf(pageOf(group, given, sql`${key}`), sql`${given.workspaceId}`)),
      ),
    ),
    rowsOf: tables.map(({ table, isOf }) =>
      statement((given: Given<GivenRoots>) =>
        rowsWhere(group, table, isOf(keysIn(sql`${given.roots}`), sql`${given.workspaceId}`)),
      ),
    ),
    deleteChildren: deleteChildren.toReversed(),
    deleteRoots,
    deleteDependents: dependents.map(deletionOf),
    endOthers: endOthersStatement(group),
    insert: tables.map(({ table }) =>
      table === root && (write === "update" || write === "append")
        ? insertRoots(group)
        : insertPlain(group, table),
    ),
  };
}
