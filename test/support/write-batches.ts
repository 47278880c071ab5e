import { env } from "cloudflare:workers";
import { type Mock, vi } from "vitest";

type Batch = (statements: D1PreparedStatement[]) => Promise<D1Result[]>;

/**
 * A spy on every batch that writes, whether it is sent to the database or through a session. Sessions that prepare
 * statements of their own are those that read; their batches pass. Undone by `vi.restoreAllMocks`.
 */
export function spyOnWrites(db: D1Database = env.DB): Mock<Batch> {
  const direct = db.batch.bind(db);
  const spy = vi.spyOn(db, "batch").mockImplementation(direct) as Mock<Batch>;
  const begin = db.withSession.bind(db);
  vi.spyOn(db, "withSession").mockImplementation((constraint) => {
    const session = begin(constraint);
    let isReading = false;
    return {
      prepare: (query) => {
        isReading = true;
        return session.prepare(query);
      },
      batch: (statements: D1PreparedStatement[]) => (isReading ? session.batch(statements) : spy(statements)),
      getBookmark: () => session.getBookmark(),
    } as D1DatabaseSession;
  });
  return spy;
}
