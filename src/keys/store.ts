/** SQL of the API keys. */

/** A key with what authentication needs of its workspace. */
export interface StoredKey {
  readonly apiKeyId: string;
  readonly workspaceId: string;
  readonly workspaceKind: "standard" | "trial";
  /** JSON array. */
  readonly scopes: string;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly workspaceExpiresAt: number | null;
}

export const findKeyByHash = (db: D1Database, secretHash: string): Promise<StoredKey | null> =>
  db
    .withSession("first-primary")
    .prepare(
      `SELECT k.api_key_id AS apiKeyId, k.workspace_id AS workspaceId, w.kind AS workspaceKind, k.scopes,
              k.last_used_at AS lastUsedAt, k.expires_at AS expiresAt, k.revoked_at AS revokedAt,
              w.expires_at AS workspaceExpiresAt
       FROM api_keys k JOIN workspaces w ON w.workspace_id = k.workspace_id
       WHERE k.secret_hash = ?1`,
    )
    .bind(secretHash)
    .first<StoredKey>();

export const touchKeyStatement = (db: D1Database, apiKeyId: string, nowMs: number): D1PreparedStatement =>
  db.prepare("UPDATE api_keys SET last_used_at = ?2 WHERE api_key_id = ?1").bind(apiKeyId, nowMs);

/** A key to be stored; the secret itself never is. */
export interface NewKey {
  readonly apiKeyId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly prefix: string;
  readonly secretHash: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export const insertKeyStatement = (db: D1Database, key: NewKey): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO api_keys
         (api_key_id, workspace_id, name, prefix, secret_hash, scopes, created_at, expires_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
    )
    .bind(
      key.apiKeyId,
      key.workspaceId,
      key.name,
      key.prefix,
      key.secretHash,
      JSON.stringify(key.scopes),
      key.createdAt,
      key.expiresAt,
    );
