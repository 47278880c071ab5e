import { expireCreditsStatement, forgetClaimsStatement } from "./store.ts";

/**
 * Takes the credits that ended trials still hold and forgets who claimed them, at most `limit` of each a run.
 * Returns how many workspaces it took credits from. May be repeated and run beside itself.
 */
export async function expireTrials(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const [expired] = await db.batch([
    expireCreditsStatement(db, nowMs, limit),
    forgetClaimsStatement(db, nowMs, limit),
  ]);
  return expired?.results.length ?? 0;
}
