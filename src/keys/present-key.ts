import type { ApiKeyView } from "../api/schemas/api-key.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/clock.ts";
import { pick } from "../platform/pick.ts";
import { type ApiKey, statusOf } from "./api-key.ts";

/** A key as the interface shows it. */
export const presentKey = (key: ApiKey, nowMs: number): ApiKeyView => ({
  ...pick(key, "apiKeyId", "name", "prefix"),
  scopes: [...key.scopes],
  status: statusOf(key, nowMs),
  createdAt: toTimestamp(key.createdAt),
  lastUsedAt: toTimestampOrNull(key.lastUsedAt),
  expiresAt: toTimestampOrNull(key.expiresAt),
  revokedAt: toTimestampOrNull(key.revokedAt),
  parentKeyId: key.parentKeyId,
});
