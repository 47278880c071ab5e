import { OPERATED_PATH, type OperatedService, type Operation } from "./operation.ts";

/** A D1 client for a database of a local worker, via `operate`. */

type Given = Operation["statements"][number];

const isValue = (value: unknown): value is Given["values"][number] =>
  value === null || typeof value === "string" || typeof value === "number";

/** Converts a value as D1 does; throws for a type that D1 rejects. */
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
    throw new Error("rows have names here");
  }
}

export class OperatedDatabase implements D1Database {
  readonly #service: () => OperatedService;
  readonly #binding: string;

  /** `service` returns the current worker, because a restart changes its address. */
  constructor(service: () => OperatedService, binding: string) {
    this.#service = service;
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
    const { origin, token } = this.#service();
    const response = await fetch(new URL(OPERATED_PATH, origin), {
      method: "POST",
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(operation),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${this.#binding}: ${text}`);
    return JSON.parse(text);
  }

  exec(): Promise<never> {
    throw new Error("send a batch");
  }

  /** A local database has no replicas, so a session is the database itself. */
  withSession(): D1DatabaseSession {
    return {
      prepare: (sql) => this.prepare(sql),
      batch: (statements) => this.batch(statements),
      getBookmark: () => null,
    };
  }

  dump(): Promise<never> {
    throw new Error("read its rows");
  }
}
