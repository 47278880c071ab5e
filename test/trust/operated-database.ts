import type { Operation } from "./workers/operation.ts";
import { OPERATED_PATH } from "./workers/operation.ts";

/** One of the databases of a local service behind `workers/operated.ts`, as if it were bound here. */

type Given = Operation["statements"][number];

const isValue = (value: unknown): value is Given["values"][number] =>
  value === null || typeof value === "string" || typeof value === "number";

/** What D1 itself reads of a value. */
function toValue(value: unknown): Given["values"][number] {
  if (typeof value === "boolean") return Number(value);
  if (value === undefined || isValue(value)) return value ?? null;
  throw new TypeError("no value of a database");
}

class OperatedStatement implements D1PreparedStatement {
  readonly #database: OperatedDatabase;
  readonly given: Given;

  constructor(database: OperatedDatabase, given: Given) {
    this.#database = database;
    this.given = given;
  }

  bind(...values: unknown[]): D1PreparedStatement {
    return new OperatedStatement(this.#database, { ...this.given, values: values.map(toValue) });
  }

  async all<T>(): Promise<D1Result<T>> {
    const [result] = await this.#database.batch<T>([this]);
    if (result === undefined) throw new Error("a batch without a result");
    return result;
  }

  run<T>(): Promise<D1Result<T>> {
    return this.all<T>();
  }

  async first<T>(): Promise<T | null> {
    return (await this.all<T>()).results[0] ?? null;
  }

  raw(): Promise<never> {
    throw new Error("nobody reads rows without names here");
  }
}

export class OperatedDatabase implements D1Database {
  readonly #origin: () => string;
  readonly #binding: string;

  /** `origin`: of the service, which may be another after a restart. */
  constructor(origin: () => string, binding: string) {
    this.#origin = origin;
    this.#binding = binding;
  }

  prepare(sql: string): D1PreparedStatement {
    return new OperatedStatement(this, { sql, values: [] });
  }

  async batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const given = statements.map((statement) => {
      if (statement instanceof OperatedStatement) return statement.given;
      throw new TypeError("a statement of another database");
    });
    const operation: Operation = { binding: this.#binding, statements: given };
    const response = await fetch(new URL(OPERATED_PATH, this.#origin()), {
      method: "POST",
      body: JSON.stringify(operation),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${this.#binding}: ${text}`);
    return JSON.parse(text);
  }

  exec(): Promise<never> {
    throw new Error("send a batch");
  }

  withSession(): never {
    throw new Error("a local database has one session");
  }

  dump(): Promise<never> {
    throw new Error("read its rows");
  }
}
