import { env } from "cloudflare:workers";
import { type Mock, vi } from "vitest";

type Batch = (statements: D1PreparedStatement[]) => Promise<D1Result[]>;

/**
 * Spies on every batch that writes, sent directly or through a session. Ignores batches of sessions that prepare only
 * queries. Undone by `vi.restoreAllMocks`.
 */
export function spyOnWrites(db: D1Database = env.DB): Mock<Batch> {
  const direct = db.batch.bind(db);
  const spy = vi.spyOn(db, "batch").mockImplementation(direct) as Mock<Batch>;
  const begin = db.withSession.bind(db);
  vi.spyOn(db, "withSession").mockImplementation((constraint) => {
    const session = begin(constraint);
    const queries: string[] = [];
    const isReading = () => queries.length > 0 && queries.every((text) => /^\s*select/i.test(text));
    return {
      prepare: (query) => {
        queries.push(query);
        return session.prepare(query);
      },
      batch: (statements: D1PreparedStatement[]) =>
        isReading() ? session.batch(statements) : spy(statements),
      getBookmark: () => session.getBookmark(),
    } as D1DatabaseSession;
  });
  return spy;
}
