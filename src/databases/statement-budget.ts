import type { Databases } from "./databases.ts";

/** How many statements one invocation may still send: the platform may count each of a batch among its thousand queries. */
export interface StatementBudget {
  left: number;
}

/** The database, with each statement that is prepared taken from the budget. */
function budgeted(db: D1Database, budget: StatementBudget): D1Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === "prepare") {
        return (sql: string) => {
          budget.left -= 1;
          return target.prepare(sql);
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** The databases, with their statements taken from the budget. It limits nothing by itself. */
export const budgetedDatabases = ({ directory, shards }: Databases, budget: StatementBudget): Databases => ({
  directory: budgeted(directory, budget),
  shards: new Map([...shards].map(([name, db]) => [name, budgeted(db, budget)])),
});
