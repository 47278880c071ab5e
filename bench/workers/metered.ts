import type { Env } from "../../src/bindings/env.ts";
import { oncePer } from "../../src/platform/once-per.ts";
import worker from "../../src/worker.ts";
import { answeredBy, isObject } from "./answered-by.ts";

export { IdempotencyLock, PreviewQuota, RateLimitWindow } from "../../src/worker.ts";

/** The whole service, whose databases count the rows that are written, as they are billed; `GET /bench/written` tells. */

const PATH = "/bench/written";

/** Rows by binding, index entries among them. */
const written = new Map<string, number>();

const rowsOf = (result: unknown): number => {
  const meta = isObject(result) ? Reflect.get(result, "meta") : null;
  const rows = isObject(meta) ? Reflect.get(meta, "rows_written") : 0;
  return typeof rows === "number" ? rows : 0;
};

/** The real statements behind metered ones: a batch takes none but its own. */
const realStatements = new WeakMap<object, unknown>();

function meteredDatabase<T extends object>(name: string, database: T): T {
  const count = (results: readonly unknown[]): void => {
    const rows = results.reduce<number>((sum, result) => sum + rowsOf(result), 0);
    written.set(name, (written.get(name) ?? 0) + rows);
  };
  const meteredStatement = (statement: object): object => {
    const metered = answeredBy(statement, (method, _, proceed) => {
      if (method === "run" || method === "all") {
        return Promise.resolve(proceed()).then((result) => {
          count([result]);
          return result;
        });
      }
      const result = proceed();
      return method === "bind" && isObject(result) ? meteredStatement(result) : result;
    });
    realStatements.set(metered, statement);
    return metered;
  };
  return answeredBy(database, (method, parameters, proceed) => {
    if (method === "batch") {
      const statements = Array.isArray(parameters[0]) ? parameters[0] : [];
      const real = statements.map((statement) => realStatements.get(statement) ?? statement);
      return Promise.resolve(proceed([real])).then((results) => {
        count(Array.isArray(results) ? results : []);
        return results;
      });
    }
    const result = proceed();
    if (method === "prepare" && isObject(result)) return meteredStatement(result);
    return method === "withSession" && isObject(result) ? meteredDatabase(name, result) : result;
  });
}

/** The same for every request, as the real one is: the service keeps things for it. */
const envOf = oncePer((env: Env): Env => {
  const databases = Object.entries(env)
    .filter(([name]) => /^DB(?:_\d\d)?$/.test(name))
    .map(([name, database]: [string, unknown]) => [
      name,
      isObject(database) ? meteredDatabase(name, database) : database,
    ]);
  return { ...env, ...Object.fromEntries(databases) };
});

export default {
  fetch: (request, env, context) =>
    new URL(request.url).pathname === PATH
      ? Response.json(Object.fromEntries(written))
      : worker.fetch(request, envOf(env), context),
  queue: (batch, env) => worker.queue(batch, envOf(env)),
  scheduled: (controller, env) => worker.scheduled(controller, envOf(env)),
} satisfies ExportedHandler<Env>;
