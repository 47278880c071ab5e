import { AsyncLocalStorage } from "node:async_hooks";

/** What was written, and what the work that wrote it returned. */
interface Written<T> {
  readonly value: T;
  /** Of the one batch; empty where the work wrote nothing, or is part of other work whose batch it is in. */
  readonly results: readonly D1Result[];
}

/** Writes the statements of the sign-in library and of what is written with them. */
export interface Writer {
  /** Runs the statements as one batch, or keeps them for that of `together`. */
  write(statements: readonly D1PreparedStatement[]): Promise<void>;
  /** Does work, and writes what it writes as one batch at its end; nothing where it throws. */
  together<T>(work: () => Promise<T>): Promise<Written<T>>;
}

/** D1 has no interactive transactions: what belongs together is collected while it is made. */
export function createWriter(db: D1Database): Writer {
  const collecting = new AsyncLocalStorage<D1PreparedStatement[]>();
  return {
    async write(statements) {
      const collected = collecting.getStore();
      if (collected === undefined) await db.batch([...statements]);
      else collected.push(...statements);
    },
    async together(work) {
      if (collecting.getStore() !== undefined) return { value: await work(), results: [] };
      const collected: D1PreparedStatement[] = [];
      const value = await collecting.run(collected, work);
      return { value, results: collected.length === 0 ? [] : await db.batch(collected) };
    },
  };
}
