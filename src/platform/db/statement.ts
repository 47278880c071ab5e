import {
  and,
  Column,
  eq,
  fillPlaceholders,
  getTableColumns,
  inArray,
  is,
  Placeholder,
  SQL,
  sql,
} from "drizzle-orm";
import { SQLiteAsyncDialect, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { drizzle } from "drizzle-orm/sqlite-proxy";

/** A database or a session of one: whatever a statement can be bound to. */
export type Preparer = Pick<D1Database, "prepare">;

/** One placeholder for each value that a statement is bound to, by its name. */
export type Given<Values> = { readonly [Name in keyof Values & string]: Placeholder<Name, Values[Name]> };

/** A query of `query`, with the type of what `all` returns: rows, where it returns any. */
interface Buildable<All> {
  getSQL(): SQL;
  prepare(): {
    mapResult(response: unknown, isFromBatch?: boolean): unknown;
    all(values?: Record<string, unknown>): Promise<All>;
  };
}

type RowsOf<All> = All extends readonly (infer Row)[] ? Row : never;

/**
 * A query whose SQL is made once, at its first use: making it costs some hundred times as much as binding it, and all of
 * them together would hold up a worker's start. It belongs to no database, so that it runs in any session, alone or in a batch with others.
 */
export interface Statement<Values, Row> {
  readonly sql: string;
  /** The same query with SQL in the place of some values, over values of its own. */
  finding<Found, Names extends keyof Values & string>(
    found: (given: Given<Found>) => Readonly<Record<Names, SQL>>,
  ): Statement<Omit<Values, Names> & Found, Row>;
  /** For a batch. Values pass through the encoders of the columns that they are written to. */
  bind(db: Preparer, values: Values): D1PreparedStatement;
  /** The rows of a batch's result, decoded by their columns. A result that the batch does not have is a bug: throws. */
  rows(result: D1Result | undefined): Row[];
  /** The first of them, or null. */
  row(result: D1Result | undefined): Row | null;
  /** Runs it alone, and returns its rows. */
  all(db: Preparer, values: Values): Promise<Row[]>;
  /** Runs it alone, and returns its first row, or null. */
  first(db: Preparer, values: Values): Promise<Row | null>;
  /** Runs it alone, and returns how many rows it changed. */
  run(db: Preparer, values: Values): Promise<number>;
}

/** What a statement's rows are. */
export type RowOf<T> = T extends Statement<never, infer Row> ? Row : never;

const dialect = new SQLiteAsyncDialect();

/** Placeholders by whatever name they are asked for; `Given` holds the names to those of the values. */
const anyPlaceholder: Record<string, Placeholder> = new Proxy(
  {},
  { get: (_, name) => sql.placeholder(String(name)) },
);

interface Made {
  readonly text: string;
  readonly params: unknown[];
  /** Null where no rows come back. */
  readonly mapResult: ((response: unknown) => unknown) | null;
}

/** Values by name, some of which are SQL. */
const replaced = (given: object, found: Readonly<Record<string, SQL>>): object =>
  new Proxy(given, {
    get: (values, name) => (typeof name === "string" ? found[name] : undefined) ?? Reflect.get(values, name),
  });

/** The one place where types are asserted: a name that `build` can write is a name of the values. */
function makeQuery<Values, All>(build: (given: Given<Values>) => Buildable<All> | SQL): Made {
  const built = build(anyPlaceholder as unknown as Given<Values>);
  // Constants become part of the text: a partial index is only used where its condition stands in so many words.
  const { sql: text, params } = dialect.sqlToQuery(built.getSQL().inlineParams());
  if (is(built, SQL)) return { text, params, mapResult: null };
  const prepared = built.prepare();
  return { text, params, mapResult: (response) => prepared.mapResult(response, true) };
}

/**
 * Makes a statement of a query of `query`, or of a `sql` template that returns no rows. The type of `given` names the
 * values: `statement((given: Given<{ jobId: string }>) => query.delete(jobs).where(eq(jobs.jobId, given.jobId)))`.
 */
export function statement<Values = Record<never, never>, All = never>(
  build: (given: Given<Values>) => Buildable<All> | SQL,
): Statement<Values, RowsOf<All>> {
  type Row = RowsOf<All>;
  let made: Made | null = null;
  const make = (): Made => {
    made ??= makeQuery(build);
    return made;
  };
  const bind = (db: Preparer, values: Values): D1PreparedStatement => {
    const { text, params } = make();
    return db.prepare(text).bind(...fillPlaceholders(params, values as Record<string, unknown>));
  };
  const decode = (found: readonly unknown[]): Row[] => {
    const { text, mapResult } = make();
    if (mapResult === null) throw new Error(`a statement without rows: ${text}`);
    // D1 keys a row by its column names, in their order; drizzle's mapper takes values in the order of the selection.
    return mapResult({ rows: found.map((row) => Object.values(row as object)) }) as Row[];
  };
  const rows = (result: D1Result | undefined): Row[] => {
    if (result === undefined) throw new Error(`a batch without the result of: ${make().text}`);
    return decode(result.results);
  };
  return {
    get sql() {
      return make().text;
    },
    finding: (found) =>
      statement((given) => build(replaced(given, found(given as never)) as unknown as Given<Values>)),
    bind,
    rows,
    row: (result) => rows(result)[0] ?? null,
    all: async (db, values) => rows(await bind(db, values).all()),
    first: async (db, values) => {
      const found = await bind(db, values).first();
      return found === null ? null : (decode([found])[0] ?? null);
    },
    run: async (db, values) => (await bind(db, values).run()).meta.changes,
  };
}

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
  /** Reads members as `select` does, from a table that others may be joined to. */
  read: <Table extends SQLiteTable, Selected extends Fields>(table: Table, fields: Selected) =>
    builder.select(named(fields)).from(table),
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

/** What an upsert sets columns to: the values of the row that it could not insert. */
export function excluded<Table extends SQLiteTable, Name extends keyof Table["_"]["columns"] & string>(
  table: Table,
  ...names: readonly Name[]
): Record<Name, SQL> {
  const columns: Table["_"]["columns"] = getTableColumns(table);
  const set = names.map((name) => [name, sql`excluded.${sql.identifier(columns[name]?.name ?? name)}`]);
  return Object.fromEntries(set) as Record<Name, SQL>;
}

/** A value for each column of the table, in the order in which drizzle names the columns of an insert. */
function valuesInOrder(table: SQLiteTable, values: Readonly<Record<string, unknown>>): SQL {
  const chunks = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = name in values ? values[name] : (column.default ?? null);
    return is(value, SQL) || is(value, Column) ? value : sql.param(value, column);
  });
  return sql.join(chunks, sql`, `);
}
