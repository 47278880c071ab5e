/**
 * Several databases as one, for arranging: a statement counts in the first of them in which it changes or finds something.
 * What it would write of a workspace that lives elsewhere, the guards of the others refuse.
 */
export function firstDatabase(databases: readonly D1Database[]): D1Database {
  const [directory] = databases;
  if (directory === undefined) throw new Error("no database");
  if (databases.length === 1) return directory;
  return new Proxy(directory, {
    get(target, name) {
      if (name === "prepare") {
        return (sql: string) => firstStatement(databases.map((database) => database.prepare(sql)));
      }
      if (name === "batch") {
        return (statements: readonly D1PreparedStatement[]) =>
          firstOf(
            databases.map(
              (database, at) => () =>
                database.batch(
                  statements.map((statement) => realStatements.get(statement)?.[at] ?? statement),
                ),
            ),
          );
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

const realStatements = new WeakMap<object, readonly D1PreparedStatement[]>();

function firstStatement(statements: readonly D1PreparedStatement[]): D1PreparedStatement {
  const [one] = statements;
  if (one === undefined) throw new Error("no database");
  const combined = new Proxy(one, {
    get(target, name) {
      if (name === "bind") {
        return (...values: unknown[]) =>
          firstStatement(statements.map((statement) => statement.bind(...values)));
      }
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...parameters: unknown[]) =>
        firstOf(statements.map((statement) => () => call(statement, name, parameters)));
    },
  });
  realStatements.set(combined, statements);
  return combined;
}

async function call(statement: D1PreparedStatement, name: string | symbol, parameters: unknown[]) {
  const method: unknown = Reflect.get(statement, name, statement);
  if (typeof method !== "function") throw new Error(`a statement has no ${String(name)}`);
  return Reflect.apply(method, statement, parameters);
}

/** Whether a result has rows or changes. */
function isEffect(result: unknown): boolean {
  if (Array.isArray(result)) return result.some(isEffect);
  if (typeof result !== "object" || result === null) return result !== null && result !== undefined;
  if (!("results" in result) || !("meta" in result)) return true;
  const { results, meta } = result as D1Result;
  return results.length > 0 || meta.changes > 0;
}

/** The first result with an effect, else the first result, else the last failure. */
async function firstOf<T>(attempts: readonly (() => Promise<T>)[]): Promise<T> {
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
