/** Forgets at most `limit` sessions and as many invitations that have ended. Returns how many. */
export async function forgetEnded(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const results = await db.batch([
    db
      .prepare(
        `DELETE FROM account_sessions WHERE session_id IN (
           SELECT session_id FROM account_sessions WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)`,
      )
      .bind(nowMs, limit),
    db
      .prepare(
        `DELETE FROM workspace_invitations WHERE invitation_id IN (
           SELECT invitation_id FROM workspace_invitations WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)`,
      )
      .bind(nowMs, limit),
  ]);
  return results.reduce((sum, { meta }) => sum + meta.changes, 0);
}
