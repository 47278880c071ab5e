import { expireCreditsStatement, listEndedTrials } from "./store.ts";

/** Takes the credits that ended trials still hold, at most `limit` workspaces a run; returns how many it met. */
export async function expireTrials(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const ended = await listEndedTrials(db, nowMs, limit);
  if (ended.length === 0) return 0;
  await db.batch(ended.map((workspaceId) => expireCreditsStatement(db, workspaceId, nowMs)));
  return ended.length;
}
