import { LIMITS } from "../contract/limits.ts";

/** SQL of the API keys. */

/** A key with what authentication needs of its workspace. */
export interface StoredKey {
  readonly apiKeyId: string;
  readonly workspaceId: string;
  readonly workspaceKind: "standard" | "trial";
  readonly secretHash: string;
  /** JSON array. */
  readonly scopes: string;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly workspaceExpiresAt: number | null;
  readonly workspaceSuspendedAt: number | null;
}

/** The key stored under either hash of one secret; `previousHash` is null where one pepper is in use. */
export const findKeyByHash = (
  db: D1Database,
  presentHash: string,
  previousHash: string | null,
): Promise<StoredKey | null> =>
  db
    .withSession("first-primary")
    .prepare(
      `SELECT k.api_key_id AS apiKeyId, k.workspace_id AS workspaceId, w.kind AS workspaceKind,
              k.secret_hash AS secretHash, k.scopes, k.last_used_at AS lastUsedAt, k.expires_at AS expiresAt, k.revoked_at AS revokedAt,
              w.expires_at AS workspaceExpiresAt, w.suspended_at AS workspaceSuspendedAt
       FROM api_keys k JOIN workspaces w ON w.workspace_id = k.workspace_id
       WHERE k.secret_hash IN (?1, ?2)`,
    )
    .bind(presentHash, previousHash)
    .first<StoredKey>();

export const touchKeyStatement = (db: D1Database, apiKeyId: string, nowMs: number): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE api_keys SET last_used_at = ?2
       WHERE api_key_id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)`,
    )
    .bind(apiKeyId, nowMs);

/** Stores a key under the present pepper's hash of its secret. */
export const rehashKeyStatement = (
  db: D1Database,
  apiKeyId: string,
  secretHash: string,
  nowMs: number,
): D1PreparedStatement =>
  db
    .prepare("UPDATE api_keys SET secret_hash = ?2, last_used_at = ?3 WHERE api_key_id = ?1")
    .bind(apiKeyId, secretHash, nowMs);

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
  readonly parentKeyId: string | null;
}

const columnsOf = (key: NewKey) => [
  key.apiKeyId,
  key.workspaceId,
  key.name,
  key.prefix,
  key.secretHash,
  JSON.stringify(key.scopes),
  key.createdAt,
  key.expiresAt,
];

export const insertKeyStatement = (db: D1Database, key: NewKey): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO api_keys
         (api_key_id, workspace_id, name, prefix, secret_hash, scopes, created_at, expires_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
    )
    .bind(...columnsOf(key));

/** Of the workspace ?1 and the key ?2. */
export const IS_KEY_LIVE = `SELECT 1 FROM api_keys JOIN workspaces USING (workspace_id)
  WHERE workspace_id = ?1 AND api_key_id = ?2 AND revoked_at IS NULL AND suspended_at IS NULL`;

/** Whether a key of the workspace has not been revoked, nor the workspace suspended. */
export const isKeyLive = async (db: D1Database, workspaceId: string, apiKeyId: string): Promise<boolean> => {
  const row = await db.withSession("first-primary").prepare(IS_KEY_LIVE).bind(workspaceId, apiKeyId).first();
  return row !== null;
};

/** What `requireLiveKeyStatement` and its like fail with: text that is no JSON, read as JSON. */
export const NO_JSON = "{";
const NO_JSON_ERROR = "malformed JSON";

/**
 * Fails the batch it stands in, and with it all that the batch would write, when the key has been revoked, its workspace
 * suspended, or when there is none. For effects of a request that was let in a while ago. SQL has no other way to fail by a condition.
 */
export const requireLiveKeyStatement = (
  db: D1Database,
  workspaceId: string,
  apiKeyId: string | null,
): D1PreparedStatement =>
  db
    .prepare(`SELECT CASE WHEN EXISTS (${IS_KEY_LIVE}) THEN 1 ELSE json(?3) END`)
    .bind(workspaceId, apiKeyId, NO_JSON);

/** True when a batch failed by `requireLiveKeyStatement`; nothing of it was kept. */
export const isDeadKeyError = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.message.includes(NO_JSON_ERROR);

/** An id with its `/` in `ancestor_key_ids`. */
const ANCESTOR_CHARACTERS = 37;

/**
 * Stores a key while the workspace has fewer than `activeKeysMax` live ones and its parent has not been revoked and is
 * not the last of its chain; changes no row otherwise. All are looked at in the write itself, so that requests at once
 * cannot pass them. Without a parent it is the workspace's owner who creates, whose role nobody can take.
 */
export const insertKeyWithinLimitStatement = (
  db: D1Database,
  key: NewKey,
  activeKeysMax: number,
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO api_keys
         (api_key_id, workspace_id, name, prefix, secret_hash, scopes, created_at, expires_at, parent_key_id, ancestor_key_ids)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?10,
              COALESCE((SELECT ancestor_key_ids || api_key_id || '/' FROM api_keys WHERE api_key_id = ?10), '')
       WHERE (SELECT COUNT(*) FROM api_keys
              WHERE workspace_id = ?2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?7)) < ?9
         AND (?10 IS NULL OR EXISTS (SELECT 1 FROM api_keys
                     WHERE workspace_id = ?2 AND api_key_id = ?10 AND revoked_at IS NULL
                       AND length(ancestor_key_ids) < ?11))`,
    )
    .bind(...columnsOf(key), activeKeysMax, key.parentKeyId, LIMITS.keyGenerationsMax * ANCESTOR_CHARACTERS);

/** Whether no further key may come of this one. */
export const isLastGeneration = async (db: D1Database, apiKeyId: string): Promise<boolean> => {
  const row = await db
    .withSession("first-primary")
    .prepare("SELECT 1 FROM api_keys WHERE api_key_id = ?1 AND length(ancestor_key_ids) >= ?2")
    .bind(apiKeyId, LIMITS.keyGenerationsMax * ANCESTOR_CHARACTERS)
    .first();
  return row !== null;
};

/** Whether the workspace has a key of this id. */
export const hasKey = async (db: D1Database, workspaceId: string, apiKeyId: string): Promise<boolean> => {
  const row = await db
    .withSession("first-primary")
    .prepare("SELECT 1 AS found FROM api_keys WHERE workspace_id = ?1 AND api_key_id = ?2")
    .bind(workspaceId, apiKeyId)
    .first();
  return row !== null;
};

/** A row as it is listed; `scopes` is JSON. */
export interface ListedKey {
  readonly apiKeyId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly parentKeyId: string | null;
}

const LISTED = `api_key_id AS apiKeyId, name, prefix, scopes, created_at AS createdAt,
  last_used_at AS lastUsedAt, expires_at AS expiresAt, revoked_at AS revokedAt, parent_key_id AS parentKeyId`;

/** The workspace's keys, newest first: older than the key `beforeId` and made by the key `parentKeyId`, where given. */
export const findKeys = async (
  db: D1Database,
  workspaceId: string,
  beforeId: string | null,
  parentKeyId: string | null,
  limit: number,
): Promise<ListedKey[]> => {
  const { results } = await db
    .prepare(`SELECT ${LISTED} FROM api_keys WHERE workspace_id = ?1 AND (?2 IS NULL OR api_key_id < ?2)
         AND (?4 IS NULL OR parent_key_id = ?4)
       ORDER BY api_key_id DESC LIMIT ?3`)
    .bind(workspaceId, beforeId, limit, parentKeyId)
    .all<ListedKey>();
  return results;
};

/** The workspace's keys as an operator looks at them: live ones first, so that no number of dead ones hides them. */
export const findKeysLiveFirst = async (
  db: D1Database,
  workspaceId: string,
  limit: number,
  nowMs: number,
): Promise<ListedKey[]> => {
  const { results } = await db
    .prepare(`SELECT ${LISTED} FROM api_keys WHERE workspace_id = ?1
       ORDER BY revoked_at IS NOT NULL OR COALESCE(expires_at <= ?3, 0), api_key_id DESC LIMIT ?2`)
    .bind(workspaceId, limit, nowMs)
    .all<ListedKey>();
  return results;
};

/** Revokes a key once; its row as it then is, or none when the workspace has none of this id. */
export const revokeKeyStatement = (
  db: D1Database,
  workspaceId: string,
  apiKeyId: string,
  nowMs: number,
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ?3)
       WHERE workspace_id = ?1 AND api_key_id = ?2 RETURNING ${LISTED}`,
    )
    .bind(workspaceId, apiKeyId, nowMs);

/** Live keys of the workspace ?1 that come of the key ?2, at the time ?3. Its own row need not be there any more. */
const LIVE_DESCENDANTS = `workspace_id = ?1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?3)
  AND instr(ancestor_key_ids, ?2 || '/') > 0`;

/** The live keys that come of a key, directly or through others: no more than a workspace may have. */
export const liveDescendantsStatement = (
  db: D1Database,
  workspaceId: string,
  apiKeyId: string,
  nowMs: number,
): D1PreparedStatement =>
  db
    .prepare(`SELECT ${LISTED} FROM api_keys WHERE ${LIVE_DESCENDANTS} ORDER BY api_key_id DESC`)
    .bind(workspaceId, apiKeyId, nowMs);

/** Revokes those, and returns their rows. */
export const revokeDescendantsStatement = (
  db: D1Database,
  workspaceId: string,
  apiKeyId: string,
  nowMs: number,
): D1PreparedStatement =>
  db
    .prepare(`UPDATE api_keys SET revoked_at = ?3 WHERE ${LIVE_DESCENDANTS} RETURNING ${LISTED}`)
    .bind(workspaceId, apiKeyId, nowMs);
