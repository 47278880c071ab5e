import { type EncryptionKeys, keyPrefixOf, seal, unseal } from "./sealed-secret.ts";

interface Row {
  readonly destinationId: string;
  readonly workspaceId: string;
  readonly sealed: string;
}

/**
 * Writes secrets anew that stand under the previous encryption key, at most `limit` of them; gives their number. Once
 * it gives none, the previous key can be taken away. A secret that changes meanwhile is left to the next run.
 */
export async function resealDestinations(
  db: D1Database,
  keys: EncryptionKeys,
  limit: number,
): Promise<number> {
  if (keys.previous === null) return 0;
  const { results } = await db
    .prepare(
      `SELECT destination_id AS destinationId, workspace_id AS workspaceId, sealed FROM destinations
       WHERE sealed IS NOT NULL AND substr(sealed, 1, length(?1)) = ?1 LIMIT ?2`,
    )
    .bind(await keyPrefixOf(keys.previous), limit)
    .all<Row>();
  let count = 0;
  for (const row of results) {
    const plain = await unseal(keys, row, row.sealed);
    if (plain === null) continue;
    const { meta } = await db
      .prepare("UPDATE destinations SET sealed = ?3 WHERE destination_id = ?1 AND sealed = ?2")
      .bind(row.destinationId, row.sealed, await seal(keys, row, plain))
      .run();
    count += meta.changes;
  }
  return count;
}
