import type { z } from "zod";
import type { apiKeyPageSchema } from "../api/schemas/api-key.ts";
import type { ApiKey } from "./api-key.ts";
import { presentKey } from "./present-key.ts";
import { keysPage } from "./store.ts";

/** Keys, newest first, and the id before which the next page begins; null at the end. */
export interface KeyPage {
  readonly keys: readonly ApiKey[];
  readonly nextBefore: string | null;
}

/**
 * A page of the workspace's keys, ended ones too: older than the key `before` (null begins with the newest), made by one
 * key or by any (null).
 */
export async function listKeys(
  db: D1Database,
  workspaceId: string,
  before: string | null,
  parentKeyId: string | null,
  limit: number,
): Promise<KeyPage> {
  const found = await keysPage.all(db, { workspaceId, before, parentKeyId, limit: limit + 1 });
  const keys = found.slice(0, limit);
  return { keys, nextBefore: found.length > limit ? (keys.at(-1)?.apiKeyId ?? null) : null };
}

/** The page as the interface shows it. */
export const presentKeyPage = (page: KeyPage, nowMs: number): z.infer<typeof apiKeyPageSchema> => ({
  items: page.keys.map((key) => presentKey(key, nowMs)),
  nextBefore: page.nextBefore,
});
