import type { IdempotencyClaim } from "./claim.ts";

/** A remembered success. */
export interface RememberedRequest {
  readonly requestHash: string;
  readonly resourceId: string;
}

/** What the workspace did under this key, or null. */
export async function findRemembered(
  db: D1Database,
  claim: IdempotencyClaim,
): Promise<RememberedRequest | null> {
  return db
    .withSession("first-primary")
    .prepare(
      `SELECT request_hash AS requestHash, resource_id AS resourceId
       FROM idempotency_keys WHERE workspace_id = ?1 AND idempotency_key = ?2`,
    )
    .bind(claim.workspaceId, claim.idempotencyKey)
    .first<RememberedRequest>();
}

/**
 * The row that makes the effect happen once. It belongs in the same batch as the effect: a second batch
 * with the key fails on the primary key and takes its effect back with it.
 * `retentionMs` null keeps it for good.
 */
export const rememberStatement = (
  db: D1Database,
  claim: IdempotencyClaim,
  resourceId: string,
  retentionMs: number | null,
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO idempotency_keys
         (workspace_id, idempotency_key, operation, request_hash, resource_id, created_at, expires_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
    )
    .bind(
      claim.workspaceId,
      claim.idempotencyKey,
      claim.operation,
      claim.requestHash,
      resourceId,
      claim.nowMs,
      retentionMs === null ? null : claim.nowMs + retentionMs,
    );
