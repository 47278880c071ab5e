import { reencryptSecrets, secretsUnderKey } from "./destination-store.ts";
import { type EncryptionKeys, keyPrefixOf, seal, unseal } from "./sealed-secret.ts";

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
  const keyPrefix = await keyPrefixOf(keys.previous);
  let count = 0;
  for (const row of await secretsUnderKey.all(db, { keyPrefix, limit })) {
    const plain = await unseal(keys, row, row.sealed);
    if (plain === null) continue;
    const sealed = await seal(keys, row, plain);
    count += await reencryptSecrets.run(db, { ...row, readSealed: row.sealed, sealed });
  }
  return count;
}
