import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { RevokedKeyView } from "#api/schemas/api-key.ts";
import { type ApiKey, presentKey } from "./api-key.ts";
import { activeDescendants, markKeyRevoked, revokeDescendants } from "./store.ts";

export interface Revocation {
  readonly apiKey: ApiKey;
  /** The keys that came of it, directly or through others, and were active until now. */
  readonly descendants: readonly ApiKey[];
}

/**
 * Revokes a key, and with `isCascade` the active keys that come of it, in one batch; API_KEY_NOT_FOUND when the workspace has
 * none of this id. A key that one of them is just making is either among them or refused, as its creator is revoked.
 */
export async function revokeKey(
  db: D1Database,
  workspaceId: string,
  apiKeyId: string,
  isCascade: boolean,
  nowMs: number,
): Promise<Outcome<Revocation>> {
  const key = { workspaceId, apiKeyId, nowMs };
  const descendants = isCascade ? revokeDescendants : activeDescendants;
  const results = await db.batch([markKeyRevoked.bind(db, key), descendants.bind(db, key)]);
  const apiKey = markKeyRevoked.row(results[0]);
  if (apiKey === null) return refuse("API_KEY_NOT_FOUND", "The workspace has no API key of this id.");
  return accept({ apiKey, descendants: descendants.rows(results[1]) });
}

/** The revocation as the interface shows it. */
export const presentRevocation = ({ apiKey, descendants }: Revocation, nowMs: number): RevokedKeyView => ({
  ...presentKey(apiKey, nowMs),
  descendants: descendants.map((key) => presentKey(key, nowMs)),
});
