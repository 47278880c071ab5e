/** Statements that run together, with their values. */
export interface StatementBatch {
  readonly sqls: readonly string[];
  /** The bound values. */
  readonly values: readonly unknown[];
}

/** Index of the intended database; null for any. */
type Choose = (meant: StatementBatch) => Promise<number | null>;

const anyOfThem: Choose = async () => null;

/**
 * Combines several databases into one, for preparing tests. `choose` picks the database of a statement. If it picks
 * none, the statement runs in one database after the other until it changes or finds something; triggers reject writes
 * for a workspace that is stored in another database.
 */
export function firstDatabase(databases: readonly D1Database[], choose: Choose = anyOfThem): D1Database {
  const [directory] = databases;
  if (directory === undefined) throw new Error("no database");
  if (databases.length === 1) return directory;
  return new Proxy(directory, {
    get(target, name) {
      if (name === "prepare") {
        return (sql: string) =>
          firstStatement(
            databases.map((database) => database.prepare(sql)),
            choose,
            { sqls: [sql], values: [] },
          );
      }
      if (name === "batch") {
        return (statements: readonly D1PreparedStatement[]) =>
          firstOf(
            databases.map(
              (database, at) => () =>
                database.batch(
                  statements.map((statement) => realStatements.get(statement)?.places[at] ?? statement),
                ),
            ),
            choose({
              sqls: statements.flatMap((statement) => realStatements.get(statement)?.meant.sqls ?? []),
              values: statements.flatMap((statement) => realStatements.get(statement)?.meant.values ?? []),
            }),
          );
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

interface RealStatement {
  /** The statement for each database. */
  readonly places: readonly D1PreparedStatement[];
  readonly meant: StatementBatch;
}

const realStatements = new WeakMap<object, RealStatement>();

function firstStatement(
  statements: readonly D1PreparedStatement[],
  choose: Choose,
  meant: StatementBatch,
): D1PreparedStatement {
  const [one] = statements;
  if (one === undefined) throw new Error("no database");
  const combined = new Proxy(one, {
    get(target, name) {
      if (name === "bind") {
        return (...values: unknown[]) =>
          firstStatement(
            statements.map((statement) => statement.bind(...values)),
            choose,
            { ...meant, values },
          );
      }
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...parameters: unknown[]) =>
        firstOf(
          statements.map((statement) => () => call(statement, name, parameters)),
          choose(meant),
        );
    },
  });
  realStatements.set(combined, { places: statements, meant });
  return combined;
}

async function call(statement: D1PreparedStatement, name: string | symbol, parameters: unknown[]) {
  const method: unknown = Reflect.get(statement, name, statement);
  if (typeof method !== "function") throw new Error(`a statement has no ${String(name)}`);
  return Reflect.apply(method, statement, parameters);
}

function isEffect(result: unknown): boolean {
  if (Array.isArray(result)) return result.some(isEffect);
  if (typeof result !== "object" || result === null) return result !== null && result !== undefined;
  if (!("results" in result) || !("meta" in result)) return true;
  const { results, meta } = result as D1Result;
  return results.length > 0 || meta.changes > 0;
}

/**
 * The result of the chosen database. If none is chosen: the first result that changed or found something, otherwise the
 * first result, otherwise the last error.
 */
async function firstOf<T>(
  attempts: readonly (() => Promise<T>)[],
  choosing: Promise<number | null>,
): Promise<T> {
  const chosen = attempts[(await choosing) ?? -1];
  if (chosen !== undefined) return chosen();
  const done: T[] = [];
  let failure: unknown;
  for (const attempt of attempts) {
    try {
      const result = await attempt();
      if (isEffect(result)) return result;
      done.push(result);
    } catch (thrown) {
      failure = thrown;
    }
  }
  const [result] = done;
  if (done.length === 0 || result === undefined) throw failure;
  return result;
}
