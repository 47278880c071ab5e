import { DatabaseSync } from "node:sqlite";

/**
 * Splits a text into statements by the narrowest rules that D1's remote endpoint was seen to follow (see
 * scripts/deploy/remote-sql.ts): a statement ends with the semicolon that ends its line, a trigger is whole only with
 * BEGIN and END in capitals on that line, and the END of a CASE ends the trigger around it.
 */
export function splitAsRemote(sql: string): string[] {
  const statements: string[] = [];
  let open = "";
  for (const line of sql.replaceAll(/--> statement-breakpoint/g, "").split("\n")) {
    if (line.startsWith("--")) continue;
    open += `${line}\n`;
    if (!line.trimEnd().endsWith(";")) continue;
    statements.push(...cutTriggers(open));
    open = "";
  }
  return open.trim() === "" ? statements : [...statements, open];
}

function cutTriggers(statement: string): string[] {
  if (!/^\s*CREATE TRIGGER/i.test(statement)) return [statement];
  if (!/\sBEGIN\s/.test(statement)) return statement.split(/(?<=;)/).filter((part) => part.trim() !== "");
  const innerEnd = /\bCASE\b[^;]*\bEND\s*;/i.exec(statement);
  return innerEnd === null ? [statement] : [statement.slice(0, innerEnd.index + innerEnd[0].length)];
}

export interface QueryResult {
  readonly results: readonly unknown[];
  readonly success: true;
  readonly meta: { readonly duration: number };
}

/** A database behind the endpoint: SQLite itself, one transaction a request. Throws SQLite's own words. */
export class RemoteD1 {
  readonly #db = new DatabaseSync(":memory:");

  query(sql: string): QueryResult[] {
    this.#db.exec("BEGIN");
    try {
      const results = splitAsRemote(sql).map((statement) => ({
        results: this.#db.prepare(statement).all(),
        success: true as const,
        meta: { duration: 0 },
      }));
      this.#db.exec("COMMIT");
      return results;
    } catch (thrown) {
      this.#db.exec("ROLLBACK");
      throw thrown;
    }
  }
}
