import { DatabaseSync } from "node:sqlite";

export interface QueryResult {
  readonly results: readonly unknown[];
  readonly success: true;
  readonly meta: { readonly duration: number };
}

/** A database in the account: SQLite itself, behind endpoints that are as strict as any report of D1's. */
export class RemoteD1 {
  readonly #db = new DatabaseSync(":memory:");

  /**
   * The query endpoint. It cuts at every semicolon, also inside a trigger, and what came before a failure stays. Throws
   * SQLite's own words.
   */
  query(sql: string): QueryResult[] {
    const statements = sql.split(/(?<=;)/).filter((part) => part.trim() !== "");
    return statements.map((statement) => ({
      results: this.#db.prepare(statement).all(),
      success: true,
      meta: { duration: 0 },
    }));
  }

  /** The import endpoint: the file whole, or nothing of it. */
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
