import type { BetterAuthOptions } from "better-auth";
import type { CleanedWhere, CustomAdapter, DBAdapter } from "better-auth/adapters";
import { columnOf, type LibraryTable, type Stored, tableOf, toRecord, toStored } from "./library-tables.ts";

type AdapterFactory = typeof import("better-auth/adapters").createAdapterFactory;

/** Takes the statements of one creation: runs them at once, or keeps them for a batch. */
type Write = (statements: D1PreparedStatement[]) => Promise<void>;

/** What is written together with a new record, in the same batch. */
export type Companions = (
  model: string,
  record: Readonly<Record<string, unknown>>,
) => readonly D1PreparedStatement[];

const OPERATORS: Readonly<Record<string, string>> = { eq: "=", lt: "<", lte: "<=", gt: ">", gte: ">=" };

/** Conditions as SQL. Those that the library does not use here are refused, so that none is taken for another. */
function conditionsOf(
  table: LibraryTable,
  where: readonly CleanedWhere[],
): { sql: string; values: Stored[] } {
  const values: Stored[] = [];
  const parts = where.map(({ field, operator, value, connector, mode }) => {
    if ((connector ?? "AND") !== "AND" || (mode ?? "sensitive") !== "sensitive")
      throw new Error("conditions are joined by AND, exactly");
    const column = columnOf(table, field);
    if (value === null && (operator ?? "eq") === "eq") return `${column} IS NULL`;
    if (operator === "in" && Array.isArray(value)) {
      values.push(JSON.stringify(value));
      return `${column} IN (SELECT value FROM json_each(?))`;
    }
    const sign = OPERATORS[operator ?? "eq"];
    if (sign === undefined) throw new Error(`${operator} is not asked by`);
    values.push(toStored(value));
    return `${column} ${sign} ?`;
  });
  return { sql: parts.length === 0 ? "1" : parts.join(" AND "), values };
}

/** The members of a record that have a column, as columns and values. */
const keptOf = (table: LibraryTable, record: Readonly<Record<string, unknown>>) =>
  Object.entries(record).flatMap(([member, value]) => {
    const column = table.columns[member];
    return column === undefined ? [] : [{ column, value: toStored(value) }];
  });

/** The library's reads and writes in D1. Reads see the latest: a session that was ended is ended everywhere. */
function storeOn(db: D1Database, write: Write, companions: Companions): CustomAdapter {
  const read = async (sql: string, values: readonly Stored[]) => {
    const found = await db
      .withSession("first-primary")
      .prepare(sql)
      .bind(...values)
      .all<Record<string, Stored>>();
    return found.results;
  };

  const change = async (model: string, where: readonly CleanedWhere[], update: Record<string, unknown>) => {
    const table = tableOf(model);
    const kept = keptOf(table, update);
    const { sql, values } = conditionsOf(table, where);
    const columns = kept.map(({ column }) => `${column} = ?`).join(", ");
    const statement = `UPDATE ${table.name} SET ${columns} WHERE ${sql} RETURNING *`;
    const rows = await read(statement, [...kept.map(({ value }) => value), ...values]);
    return rows.map((row) => toRecord(table, row));
  };

  const remove = async (model: string, where: readonly CleanedWhere[]): Promise<number> => {
    const table = tableOf(model);
    const { sql, values } = conditionsOf(table, where);
    const { meta } = await db
      .prepare(`DELETE FROM ${table.name} WHERE ${sql}`)
      .bind(...values)
      .run();
    return meta.changes;
  };

  const find = async (model: string, where: readonly CleanedWhere[], tail: string) => {
    const table = tableOf(model);
    const { sql, values } = conditionsOf(table, where);
    const rows = await read(`SELECT * FROM ${table.name} WHERE ${sql} ${tail}`, values);
    return rows.map((row) => toRecord(table, row));
  };

  // The library names the type of each record by itself; here is the border at which rows become them.
  return {
    create: async ({ model, data }) => {
      const table = tableOf(model);
      const kept = keptOf(table, data);
      const names = kept.map(({ column }) => column).join(", ");
      const places = kept.map(() => "?").join(", ");
      const insert = db
        .prepare(`INSERT INTO ${table.name} (${names}) VALUES (${places})`)
        .bind(...kept.map(({ value }) => value));
      await write([insert, ...companions(model, data)]);
      return data;
    },
    findOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) =>
      ((await find(model, where, "LIMIT 1"))[0] ?? null) as T | null,
    findMany: async <T>(query: Parameters<CustomAdapter["findMany"]>[0]) => {
      const { model, where, limit, sortBy, offset } = query;
      const order =
        sortBy === undefined
          ? ""
          : `ORDER BY ${columnOf(tableOf(model), sortBy.field)} ${sortBy.direction === "desc" ? "DESC" : "ASC"}`;
      const page = `LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(offset ?? 0)}`;
      return (await find(model, where ?? [], `${order} ${page}`)) as T[];
    },
    update: async <T>(query: { model: string; where: CleanedWhere[]; update: T }) =>
      ((await change(query.model, query.where, query.update as Record<string, unknown>))[0] ??
        null) as T | null,
    updateMany: async ({ model, where, update }) => (await change(model, where, update)).length,
    delete: async ({ model, where }) => {
      await remove(model, where);
    },
    deleteMany: ({ model, where }) => remove(model, where),
    count: async ({ model, where }) => {
      const table = tableOf(model);
      const { sql, values } = conditionsOf(table, where ?? []);
      const [row] = await read(`SELECT COUNT(*) AS total FROM ${table.name} WHERE ${sql}`, values);
      return Number(row?.total ?? 0);
    },
  };
}

/** How the factory is told what SQLite knows: no booleans; times are turned in library-tables.ts. */
const CONFIG = {
  adapterId: "d1",
  adapterName: "D1",
  supportsBooleans: false,
  supportsDates: true,
  supportsNumericIds: false,
} as const;

/**
 * The library's database. D1 has no interactive transactions: what the library creates within one is collected and
 * written as one batch at its end, so that an account comes with its credential and its workspace, or not at all.
 */
export const libraryStore =
  (createAdapterFactory: AdapterFactory, db: D1Database, companions: Companions) =>
  (options: BetterAuthOptions): DBAdapter<BetterAuthOptions> => {
    const atOnce: Write = async (statements) => {
      await db.batch(statements);
    };
    return createAdapterFactory({
      config: {
        ...CONFIG,
        transaction: async (work) => {
          const collected: D1PreparedStatement[] = [];
          const collect: Write = async (statements) => {
            collected.push(...statements);
          };
          const within = createAdapterFactory({
            config: { ...CONFIG, transaction: false },
            adapter: () => storeOn(db, collect, companions),
          })(options);
          const result = await work(within);
          if (collected.length > 0) await db.batch(collected);
          return result;
        },
      },
      adapter: () => storeOn(db, atOnce, companions),
    })(options);
  };
