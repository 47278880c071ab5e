import type { z } from "zod";
import type { apiKeyPageSchema } from "../contract/schemas/api-key.ts";
import { presentKey, toApiKey } from "./present-key.ts";
import { findKeys, type ListedKey } from "./store.ts";

/** Keys, newest first, and the id before which the next page begins; null at the end. */
export interface KeyPage {
  readonly keys: readonly ListedKey[];
  readonly nextBefore: string | null;
}

/** A page of the workspace's keys, dead or alive, older than the key `before` (null begins with the newest), of one parent or of all. */
export async function listKeys(
  db: D1Database,
  workspaceId: string,
  before: string | null,
  parentKeyId: string | null,
  limit: number,
): Promise<KeyPage> {
  const found = await findKeys(db, workspaceId, before, parentKeyId, limit + 1);
  const keys = found.slice(0, limit);
  return { keys, nextBefore: found.length > limit ? (keys.at(-1)?.apiKeyId ?? null) : null };
}

/** The page as the interface shows it. */
export const presentKeyPage = (page: KeyPage, nowMs: number): z.infer<typeof apiKeyPageSchema> => ({
  items: page.keys.map((row) => presentKey(toApiKey(row), nowMs)),
  nextBefore: page.nextBefore,
});
