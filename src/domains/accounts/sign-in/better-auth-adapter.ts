import { AsyncLocalStorage } from "node:async_hooks";
import type { BetterAuthOptions } from "better-auth";
import type { CleanedWhere, CustomAdapter, DBAdapter } from "better-auth/adapters";
import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import { latest } from "#platform/db/reader.ts";
import { type Given, query, type Statement, statement } from "#platform/db/statement.ts";
import { columnOf, findModel, type Model, toColumnValue, toRecord } from "./better-auth-schema.ts";

type AdapterFactory = typeof import("better-auth/adapters").createAdapterFactory;

type Values = Readonly<Record<string, unknown>>;

/** Statements to write in the same batch as a record of the library. */
export interface WriteHooks {
  created(model: string, record: Values): Promise<readonly D1PreparedStatement[]>;
  /** `where` selects the changed records. */
  updated(model: string, where: readonly CleanedWhere[], update: Values): readonly D1PreparedStatement[];
}

const OPERATORS = { eq, lt, lte, gt, gte } as const;

const isNullCheck = ({ value, operator }: CleanedWhere): boolean =>
  value === null && (operator ?? "eq") === "eq";

/** A condition as SQL. Throws for operators that the library does not use here, so that none is misread. */
function conditionOf(model: Model, where: CleanedWhere, given: Given<Values>, position: number): SQL {
  const { field, operator = "eq", connector = "AND", mode = "sensitive" } = where;
  if (connector !== "AND" || mode !== "sensitive") throw new Error("conditions are joined by AND, exactly");
  const column = columnOf(model, field);
  const value = sql.param(given[`where ${position}`], column);
  if (isNullCheck(where)) return isNull(column);
  if (operator === "in") return inArray(column, sql`(select value from json_each(${value}))`);
  if (!(operator in OPERATORS)) throw new Error(`no condition is made by ${operator}`);
  return OPERATORS[operator as keyof typeof OPERATORS](column, value);
}

const whereOf = (model: Model, where: readonly CleanedWhere[], given: Given<Values>) =>
  and(...where.map((condition, position) => conditionOf(model, condition, given, position)));

const whereValues = (where: readonly CleanedWhere[]) =>
  Object.fromEntries(where.map(({ value }, position) => [`where ${position}`, toColumnValue(value)]));

/** The fields of a record that have a column. */
const membersOf = (model: Model, record: Values): string[] =>
  Object.keys(record).filter((member) => member in model.members);

const writesOf = (model: Model, members: readonly string[], given: Given<Values>) =>
  Object.fromEntries(members.map((member) => [model.members[member] ?? member, given[member]]));

const writtenValues = (record: Values, members: readonly string[]) =>
  Object.fromEntries(members.map((member) => [member, toColumnValue(record[member])]));

type RecordStatement = Statement<Values, Values>;

/** Cached statements. The library needs about twenty. Their keys contain field names, never values. */
const statements = new Map<string, RecordStatement>();

function statementOf(shape: readonly unknown[], make: () => RecordStatement): RecordStatement {
  const key = JSON.stringify(shape);
  const known = statements.get(key) ?? make();
  statements.set(key, known);
  return known;
}

const shapeOf = (where: readonly CleanedWhere[]) =>
  where.map((condition) => [
    condition.field,
    condition.operator,
    condition.connector,
    condition.mode,
    isNullCheck(condition),
  ]);

/** The library's reads and writes in D1. Reads are always current, so that an ended session is refused everywhere. */
function adapterOn(db: D1Database, writer: Writer, hooks: WriteHooks): CustomAdapter {
  const change = async (name: string, where: readonly CleanedWhere[], update: Values) => {
    const model = findModel(name);
    const members = membersOf(model, update);
    const changed = statementOf(["update", name, members, shapeOf(where)], () =>
      statement((given: Given<Values>) =>
        query
          .update(model.table)
          .set(writesOf(model, members, given))
          .where(whereOf(model, where, given))
          .returning(model.columns),
      ),
    );
    const session = latest(db);
    const [result] = await session.batch([
      changed.bind(session, { ...whereValues(where), ...writtenValues(update, members) }),
      ...hooks.updated(name, where, update),
    ]);
    return changed.rows(result).map(toRecord);
  };

  const remove = (name: string, where: readonly CleanedWhere[]): Promise<number> => {
    const model = findModel(name);
    const removal = statementOf(["delete", name, shapeOf(where)], () =>
      statement((given: Given<Values>) => query.delete(model.table).where(whereOf(model, where, given))),
    );
    return removal.run(db, whereValues(where));
  };

  const find = async (
    name: string,
    where: readonly CleanedWhere[],
    page: { limit: number; offset: number },
    sortBy?: { field: string; direction: "asc" | "desc" },
  ) => {
    const model = findModel(name);
    const found = statementOf(["select", name, shapeOf(where), sortBy], () =>
      statement((given: Given<Values>) => {
        const order = sortBy && (sortBy.direction === "desc" ? desc : asc)(columnOf(model, sortBy.field));
        return query
          .select(model.columns)
          .from(model.table)
          .where(whereOf(model, where, given))
          .orderBy(...(order === undefined ? [] : [order]))
          .limit(sql.placeholder("limit"))
          .offset(sql.placeholder("offset"));
      }),
    );
    const rows = await found.all(latest(db), { ...whereValues(where), ...page });
    return rows.map(toRecord);
  };

  // The library's methods are generic over record types, which rows cannot satisfy without a cast.
  return {
    create: async ({ model: name, data }) => {
      const model = findModel(name);
      const members = membersOf(model, data);
      const insert = statementOf(["insert", name, members], () =>
        statement((given: Given<Values>) =>
          query.insert(model.table).values(writesOf(model, members, given)),
        ),
      );
      const alongside = await hooks.created(name, data);
      await writer.write([insert.bind(db, writtenValues(data, members)), ...alongside]);
      return data;
    },
    findOne: async <T>({ model, where }: { model: string; where: CleanedWhere[] }) =>
      ((await find(model, where, { limit: 1, offset: 0 }))[0] ?? null) as T | null,
    findMany: async <T>({ model, where, limit, sortBy, offset }: Parameters<CustomAdapter["findMany"]>[0]) =>
      (await find(model, where ?? [], { limit, offset: offset ?? 0 }, sortBy)) as T[],
    update: async <T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) =>
      ((await change(model, where, update as Values))[0] ?? null) as T | null,
    updateMany: async ({ model, where, update }) => (await change(model, where, update)).length,
    delete: async ({ model, where }) => {
      await remove(model, where);
    },
    deleteMany: ({ model, where }) => remove(model, where),
    // One statement, so that only one of two concurrent callers gets a one-time token's row.
    consumeOne: async <T>({ model: name, where }: { model: string; where: CleanedWhere[] }) => {
      const model = findModel(name);
      const removal = statementOf(["consume", name, shapeOf(where)], () =>
        statement((given: Given<Values>) =>
          query
            .delete(model.table)
            .where(whereOf(model, where, given))
            .returning(model.columns),
        ),
      );
      const row = await removal.first(latest(db), whereValues(where));
      return (row && toRecord(row)) as T | null;
    },
    count: async ({ model: name, where = [] }) => {
      const model = findModel(name);
      const counted = statementOf(["count", name, shapeOf(where)], () =>
        statement((given: Given<Values>) =>
          query
            .select({ total: sql<number>`count(*)` })
            .from(model.table)
            .where(whereOf(model, where, given)),
        ),
      );
      return Number((await counted.first(latest(db), whereValues(where)))?.total ?? 0);
    },
  };
}

/** better-auth-schema.ts converts dates to Unix milliseconds; columns convert booleans to numbers. */
const CONFIG = {
  adapterId: "d1",
  adapterName: "D1",
  supportsBooleans: true,
  supportsDates: true,
  supportsNumericIds: false,
} as const;

/**
 * The library's database. D1 has no interactive transactions, so everything that the library writes in a transaction is
 * collected and written as one batch. An account is never created without its credential and workspace.
 */
export const betterAuthAdapter =
  (createAdapterFactory: AdapterFactory, db: D1Database, writer: Writer, hooks: WriteHooks) =>
  (options: BetterAuthOptions): DBAdapter<BetterAuthOptions> => {
    const adapter = () => adapterOn(db, writer, hooks);
    const within = createAdapterFactory({ config: { ...CONFIG, transaction: false }, adapter })(options);
    const transaction = async <T>(work: (within: DBAdapter<BetterAuthOptions>) => Promise<T>) =>
      (await writer.together(() => work(within))).value;
    return createAdapterFactory({ config: { ...CONFIG, transaction }, adapter })(options);
  };

/** The result of `Writer.together`. */
interface Written<T> {
  readonly value: T;
  /**
   * Results of the batch; empty when the work wrote nothing or runs inside another `together`, which writes the batch.
   */
  readonly results: readonly D1Result[];
}

/** Writes the library's statements together with ours. */
export interface Writer {
  /** Runs the statements as one batch, or adds them to the batch of `together`. */
  write(statements: readonly D1PreparedStatement[]): Promise<void>;
  /** Runs work and writes its statements as one batch at the end; writes nothing if it throws. */
  together<T>(work: () => Promise<T>): Promise<Written<T>>;
}

/** Replaces interactive transactions, which D1 lacks. */
export function createWriter(db: D1Database): Writer {
  const collecting = new AsyncLocalStorage<D1PreparedStatement[]>();
  return {
    async write(statements) {
      const collected = collecting.getStore();
      if (collected === undefined) await db.batch([...statements]);
      else collected.push(...statements);
    },
    async together(work) {
      if (collecting.getStore() !== undefined) return { value: await work(), results: [] };
      const collected: D1PreparedStatement[] = [];
      const value = await collecting.run(collected, work);
      return { value, results: collected.length === 0 ? [] : await db.batch(collected) };
    },
  };
}
