import { assertKeyActive } from "../keys/store.ts";
import type { IdempotencyClaim } from "./claim.ts";

/** A remembered success. */
export interface RememberedRequest {
  readonly requestHash: string;
  readonly resourceId: string;
}

const rememberedStatement = (
  db: D1DatabaseSession,
  { workspaceId, idempotencyKey }: IdempotencyClaim,
): D1PreparedStatement =>
  db
    .prepare(
      `SELECT request_hash AS requestHash, resource_id AS resourceId
       FROM idempotency_keys WHERE workspace_id = ?1 AND idempotency_key = ?2`,
    )
    .bind(workspaceId, idempotencyKey);

/** What the workspace did under this key, or null. */
export const findRemembered = (db: D1Database, claim: IdempotencyClaim): Promise<RememberedRequest | null> =>
  rememberedStatement(db.withSession("first-primary"), claim).first<RememberedRequest>();

/** As `findRemembered`, with the results of other reads in the same round trip. */
export async function findRememberedWith(
  db: D1Database,
  claim: IdempotencyClaim,
  alongside: (session: D1DatabaseSession) => readonly D1PreparedStatement[],
): Promise<{ readonly remembered: RememberedRequest | null; readonly alongside: readonly D1Result[] }> {
  const session = db.withSession("first-primary");
  const [remembered, ...others] = await session.batch([
    rememberedStatement(session, claim),
    ...alongside(session),
  ]);
  return {
    remembered: (remembered?.results[0] as RememberedRequest | undefined) ?? null,
    alongside: others,
  };
}

/**
 * The row that makes the effect happen once. It belongs in the same batch as the effect: a second batch
 * with the key fails on the primary key and takes its effect back with it. So does one whose API key has been revoked or
 * whose workspace suspended since the request was let in, by the guard `key_active`: it may have waited long.
 * `retentionMs` null keeps it for good.
 */
export const rememberStatements = (
  db: D1Database,
  claim: IdempotencyClaim,
  resourceId: string,
  retentionMs: number | null,
): readonly D1PreparedStatement[] => {
  const { workspaceId, apiKeyId } = claim;
  const guards = apiKeyId === null ? [] : [assertKeyActive.bind(db, { workspaceId, apiKeyId })];
  const record = db
    .prepare(
      `INSERT INTO idempotency_keys
         (workspace_id, idempotency_key, operation, request_hash, resource_id, created_at, expires_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
    )
    .bind(
      workspaceId,
      claim.idempotencyKey,
      claim.operation,
      claim.requestHash,
      resourceId,
      claim.nowMs,
      retentionMs === null ? null : claim.nowMs + retentionMs,
    );
  return [...guards, record];
};
