import type { Databases } from "./databases.ts";

/**
 * Statements that an invocation may still send: the platform may count each statement of a batch among its thousand
 * queries.
 */
export interface StatementBudget {
  left: number;
}

/** A database or session that subtracts each prepared statement from the budget. */
function budgeted<T extends D1Database | D1DatabaseSession>(db: T, budget: StatementBudget): T {
  return new Proxy(db, {
    get(target, name) {
      if (name === "prepare") {
        return (sql: string) => {
          budget.left -= 1;
          return target.prepare(sql);
        };
      }
      if (name === "withSession" && "withSession" in target) {
        return (constraint?: string) => budgeted(target.withSession(constraint), budget);
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** Databases whose statements count against the budget. Never refuses a statement; the caller checks `left`. */
export const budgetedDatabases = ({ directory, shards }: Databases, budget: StatementBudget): Databases => ({
  directory: budgeted(directory, budget),
  shards: new Map([...shards].map(([name, db]) => [name, budgeted(db, budget)])),
});
