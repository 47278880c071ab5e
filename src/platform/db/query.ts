import { and, Column, eq, getTableColumns, inArray, is, Placeholder, SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { drizzle } from "drizzle-orm/sqlite-proxy";

/** drizzle's query builder, for `statement`: it makes SQL and decodes rows, and never has a database of its own. */
const builder = drizzle(() => Promise.reject(new Error("bind the statement to a database")));

type Field = SQLiteColumn | SQL | SQL.Aliased;

/** A selection: columns and `sql` expressions by member, or one level of such groups. */
type Fields = Record<string, Field | Record<string, Field>>;

/** What may be written to a column: a value, a placeholder of its type, or SQL. */
type Writable<Value> = Value | Placeholder<string, Value> | SQL | SQLiteColumn;

type Insertable<Table extends SQLiteTable> = {
  [Name in keyof Table["$inferInsert"]]: Writable<Table["$inferInsert"][Name]>;
};

type Updatable<Table extends SQLiteTable> = {
  [Name in keyof Table["$inferInsert"]]?: Writable<Table["$inferInsert"][Name]>;
};

/**
 * Gives each column of a result a name of its own. D1 keys rows by column name, so that of two equal names (two tables'
 * `created_at`) one would be lost. Wrapped once more, an expression keeps the tables of its columns: at the top of a
 * selection drizzle leaves them out, which would change what a subquery of it compares.
 */
function named<Selected extends Fields>(fields: Selected, taken = new Set<string>()): Selected {
  const entries = Object.entries(fields).map(([member, field]) => {
    const isColumn = is(field, Column);
    if (!isColumn && !is(field, SQL) && !is(field, SQL.Aliased)) return [member, named(field, taken)];
    const name = isColumn && !taken.has(field.name) ? field.name : `${member} ${taken.size}`;
    taken.add(name);
    // A column by its own name is decoded ten times as fast as one by another.
    if (isColumn) return [member, name === field.name ? field : sql`${field}`.mapWith(field).as(name)];
    if (!is(field, SQL)) return [member, field];
    const wrapped = Object.assign(new SQL([]), field, { queryChunks: [new SQL(field.queryChunks)] });
    return [member, wrapped.as(name)];
  });
  return Object.fromEntries(entries) as Selected;
}

/** The queries that `statement` takes. Their methods are drizzle's own: orm.drizzle.team/docs/select, insert, update, delete. */
export const query = {
  /**
   * Reads members from one table or several: a column, a `sql` expression, or a group of them, which is null where a left
   * join found no row for it.
   */
  select: <Selected extends Fields>(fields: Selected) => builder.select(named(fields)),
  /** Reads columns of one table by their names. */
  from: <Table extends SQLiteTable, Name extends keyof Table["_"]["columns"] & string>(
    table: Table,
    ...names: readonly Name[]
  ) => {
    type Columns = Table["_"]["columns"];
    const columns: Columns = getTableColumns(table);
    const read = Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<Columns, Name>;
    return builder.select(named(read)).from(table);
  },
  update: <Table extends SQLiteTable>(table: Table) => ({
    set: (values: Updatable<Table>) => builder.update(table).set(values as object),
  }),
  insert: <Table extends SQLiteTable>(table: Table) => ({
    /** Inserts one row. */
    values: (values: Insertable<Table>) => builder.insert(table).values(values as Table["$inferInsert"]),
    /**
     * Inserts a row for each that `source` finds, often at most one: `sql`where …`` for a condition alone, or
     * `sql`from … where …``. A column that is not named gets its default.
     */
    selecting: (values: Insertable<Table>, source: SQL) =>
      builder.insert(table).select(sql`select ${valuesInOrder(table, values)} ${source}`),
  }),
  delete: <Table extends SQLiteTable>(table: Table) => builder.delete(table),
  /** Deletes at most `limit` rows that meet the condition, the first by `order`. `key` is the table's primary key. */
  deleteFirst: (
    table: SQLiteTable,
    key: SQLiteColumn,
    condition: SQL | undefined,
    order: SQLiteColumn | SQL,
    limit: Placeholder<string, number>,
  ) =>
    builder
      .delete(table)
      .where(inArray(key, builder.select({ key }).from(table).where(condition).orderBy(order).limit(limit))),
};

/** True of rows whose columns equal these values, all of them. */
export function matches<Table extends SQLiteTable>(table: Table, values: Updatable<Table>): SQL | undefined {
  const columns = getTableColumns<SQLiteTable>(table);
  const conditions = Object.entries(values).map(([name, value]) => {
    const column = columns[name];
    if (column === undefined) throw new Error(`the table has no column ${name}`);
    return eq(column, is(value, Placeholder) ? sql.param(value, column) : value);
  });
  return and(...conditions);
}

/** A value for each column of the table, in the order in which drizzle names the columns of an insert. */
function valuesInOrder(table: SQLiteTable, values: Readonly<Record<string, unknown>>): SQL {
  const chunks = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = name in values ? values[name] : (column.default ?? null);
    return is(value, SQL) || is(value, Column) ? value : sql.param(value, column);
  });
  return sql.join(chunks, sql`, `);
}
