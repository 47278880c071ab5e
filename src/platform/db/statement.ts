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

/** A database or a session that statements can be bound to. */
export type Preparer = Pick<D1Database, "prepare">;

/** A placeholder for each value of a statement, by name. */
export type Given<Values> = { readonly [Name in keyof Values & string]: Placeholder<Name, Values[Name]> };

/** A query built with `query`, with the type of its rows. */
interface Buildable<All> {
  getSQL(): SQL;
  prepare(): {
    mapResult(response: unknown, isFromBatch?: boolean): unknown;
    all(values?: Record<string, unknown>): Promise<All>;
  };
}

type RowsOf<All> = All extends readonly (infer Row)[] ? Row : never;

/**
 * A query whose SQL is generated once, at its first use: generating it costs some hundred times as much as binding it,
 * and generating all would delay a worker's start. It is bound to any database or session, alone or in a batch.
 */
export interface Statement<Values, Row> {
  readonly sql: string;
  /** The same query with some values replaced by SQL. Callers bind the values that this SQL needs instead. */
  finding<Found, Names extends keyof Values & string>(
    found: (given: Given<Found>) => Readonly<Record<Names, SQL>>,
  ): Statement<Omit<Values, Names> & Found, Row>;
  /** Binds the values, for a batch. Encodes column values, such as JSON and booleans. */
  bind(db: Preparer, values: Values): D1PreparedStatement;
  /** The rows of a batch's result, decoded by their columns. Throws if the result is missing. */
  rows(result: D1Result | undefined): Row[];
  /** The first row, or null. */
  row(result: D1Result | undefined): Row | null;
  /** Runs the statement alone; returns its rows. */
  all(db: Preparer, values: Values): Promise<Row[]>;
  /** Runs the statement alone; returns its first row or null. */
  first(db: Preparer, values: Values): Promise<Row | null>;
  /** Runs the statement alone; returns the number of changed rows. */
  run(db: Preparer, values: Values): Promise<number>;
}

/** The row type of a statement. */
export type RowOf<T> = T extends Statement<never, infer Row> ? Row : never;

const dialect = new SQLiteAsyncDialect();

/** Creates a placeholder for any name; `Given` restricts the names. */
const anyPlaceholder: Record<string, Placeholder> = new Proxy(
  {},
  { get: (_, name) => sql.placeholder(String(name)) },
);

interface Made {
  readonly text: string;
  readonly params: unknown[];
  /** Null if the query returns no rows. */
  readonly mapResult: ((response: unknown) => unknown) | null;
}

/** Replaces some values by SQL. */
const replaced = (given: object, found: Readonly<Record<string, SQL>>): object =>
  new Proxy(given, {
    get: (values, name) => (typeof name === "string" ? found[name] : undefined) ?? Reflect.get(values, name),
  });

/** The only type assertion about names. It is safe, because `build` can use only the names in `Values`. */
function makeQuery<Values, All>(build: (given: Given<Values>) => Buildable<All> | SQL): Made {
  const built = build(anyPlaceholder as unknown as Given<Values>);
  // Constants become part of the text, because a partial index requires its condition literally.
  const { sql: text, params } = dialect.sqlToQuery(built.getSQL().inlineParams());
  if (is(built, SQL)) return { text, params, mapResult: null };
  const prepared = built.prepare();
  return { text, params, mapResult: (response) => prepared.mapResult(response, true) };
}

/**
 * Creates a statement from a query built with `query`, or from a `sql` template without rows. The type of `given` names
 * the values: `statement((given: Given<{ jobId: string }>) => query.delete(jobs).where(eq(jobs.jobId, given.jobId)))`.
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
    // D1 keys rows by column name, in selection order; drizzle's mapper takes the values in that order.
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

/** drizzle's query builder, used only to generate SQL and decode rows. */
const builder = drizzle(() => Promise.reject(new Error("bind the statement to a database")));

type Field = SQLiteColumn | SQL | SQL.Aliased;

/** A selection by field name: columns, `sql` expressions, or groups of them, one level deep. */
type Fields = Record<string, Field | Record<string, Field>>;

/** A value for a column, a placeholder of its type, or SQL. */
type Writable<Value> = Value | Placeholder<string, Value> | SQL | SQLiteColumn;

type Insertable<Table extends SQLiteTable> = {
  [Name in keyof Table["$inferInsert"]]: Writable<Table["$inferInsert"][Name]>;
};

type Updatable<Table extends SQLiteTable> = {
  [Name in keyof Table["$inferInsert"]]?: Writable<Table["$inferInsert"][Name]>;
};

/**
 * Gives each column of a result a unique name. D1 keys rows by column name, so if two tables both have a `created_at`,
 * one would be lost. Expressions are wrapped once more to keep the table names of their columns: drizzle omits these at
 * the top of a selection, which would change a subquery's comparison.
 */
function named<Selected extends Fields>(fields: Selected, taken = new Set<string>()): Selected {
  const entries = Object.entries(fields).map(([member, field]) => {
    const isColumn = is(field, Column);
    if (!isColumn && !is(field, SQL) && !is(field, SQL.Aliased)) return [member, named(field, taken)];
    const name = isColumn && !taken.has(field.name) ? field.name : `${member} ${taken.size}`;
    taken.add(name);
    // drizzle decodes a column ten times as fast if it keeps its own name.
    if (isColumn) return [member, name === field.name ? field : sql`${field}`.mapWith(field).as(name)];
    if (!is(field, SQL)) return [member, field];
    const wrapped = Object.assign(new SQL([]), field, { queryChunks: [new SQL(field.queryChunks)] });
    return [member, wrapped.as(name)];
  });
  return Object.fromEntries(entries) as Selected;
}

/** Queries for `statement`. Their methods are drizzle's: orm.drizzle.team/docs/select, insert, update, delete. */
export const query = {
  /**
   * Selects fields from one or several tables: a column, a `sql` expression, or a group of them, which is null if a
   * left join found no row.
   */
  select: <Selected extends Fields>(fields: Selected) => builder.select(named(fields)),
  /** Selects fields from a table that can be joined to others. */
  read: <Table extends SQLiteTable, Selected extends Fields>(table: Table, fields: Selected) =>
    builder.select(named(fields)).from(table),
  /** Selects columns of one table by name. */
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
    values: (values: Insertable<Table>) => builder.insert(table).values(values as Table["$inferInsert"]),
    /**
     * Inserts a row for each row of `source`, often at most one: `sql`where …`` for a condition, or `sql`from … where
     * …``. Omitted columns get their defaults.
     */
    selecting: (values: Insertable<Table>, source: SQL) =>
      builder.insert(table).select(sql`select ${valuesInOrder(table, values)} ${source}`),
  }),
  delete: <Table extends SQLiteTable>(table: Table) => builder.delete(table),
  /** Deletes the first `limit` rows by `order` that meet the condition. `key` is the table's primary key. */
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

/** True for rows whose columns equal these values. */
export function matches<Table extends SQLiteTable>(table: Table, values: Updatable<Table>): SQL | undefined {
  const columns = getTableColumns<SQLiteTable>(table);
  const conditions = Object.entries(values).map(([name, value]) => {
    const column = columns[name];
    if (column === undefined) throw new Error(`the table has no column ${name}`);
    return eq(column, is(value, Placeholder) ? sql.param(value, column) : value);
  });
  return and(...conditions);
}

/** Columns of an upsert, set to the values of the row that could not be inserted. */
export function excluded<Table extends SQLiteTable, Name extends keyof Table["_"]["columns"] & string>(
  table: Table,
  ...names: readonly Name[]
): Record<Name, SQL> {
  const columns: Table["_"]["columns"] = getTableColumns(table);
  const set = names.map((name) => [name, sql`excluded.${sql.identifier(columns[name]?.name ?? name)}`]);
  return Object.fromEntries(set) as Record<Name, SQL>;
}

/** A value for each column of the table, in drizzle's insert order. */
function valuesInOrder(table: SQLiteTable, values: Readonly<Record<string, unknown>>): SQL {
  const chunks = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = name in values ? values[name] : (column.default ?? null);
    return is(value, SQL) || is(value, Column) ? value : sql.param(value, column);
  });
  return sql.join(chunks, sql`, `);
}
