import { DatabaseSync } from "node:sqlite";

export interface QueryResult {
  readonly results: readonly unknown[];
  readonly success: true;
  readonly meta: { readonly duration: number };
}

/** A database of the account: SQLite behind endpoints that are as strict as the strictest reports about D1. */
export class RemoteD1 {
  readonly #db = new DatabaseSync(":memory:");

  /**
   * The query endpoint. It splits at every semicolon, even inside a trigger, and keeps the statements before a failure.
   * Throws SQLite's error text.
   */
  query(sql: string): QueryResult[] {
    const statements = sql.split(/(?<=;)/).filter((part) => part.trim() !== "");
    return statements.map((statement) => ({
      results: this.#db.prepare(statement).all(),
      success: true,
      meta: { duration: 0 },
    }));
  }

  /** The import endpoint: applies the file completely or not at all. */
  import(sql: string): void {
    this.#db.exec("BEGIN");
    try {
      this.#db.exec(sql);
      this.#db.exec("COMMIT");
    } catch (thrown) {
      this.#db.exec("ROLLBACK");
      throw thrown;
    }
  }
}
