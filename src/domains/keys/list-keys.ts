import type { z } from "zod";
import type { apiKeyPageSchema } from "#api/schemas/api-key.ts";
import { type Page, toPage } from "#platform/db/page.ts";
import { type ApiKey, presentKey } from "./api-key.ts";
import { keysPage } from "./store.ts";

/**
 * A page of the workspace's keys, newest first, ended ones too: older than the key `before` (null begins with the newest),
 * made by one key or by any (null). Its cursor is the id of a key.
 */
export async function listKeys(
  db: D1Database,
  workspaceId: string,
  before: string | null,
  parentKeyId: string | null,
  limit: number,
  nowMs: number,
): Promise<Page<ApiKey, string>> {
  const found = await keysPage.all(db, { workspaceId, before, parentKeyId, nowMs, limit: limit + 1 });
  return toPage(found, limit, ({ apiKeyId }) => apiKeyId);
}

/** The page as the interface shows it. */
export const presentKeyPage = (
  page: Page<ApiKey, string>,
  nowMs: number,
): z.infer<typeof apiKeyPageSchema> => ({
  items: page.items.map((key) => presentKey(key, nowMs)),
  nextBefore: page.nextBefore,
});
