import type { ApiKeyView } from "#api/schemas/api-key.ts";
import type { Scope } from "#api/scopes.ts";
import { toTimestamp, toTimestampOrNull } from "#platform/clock.ts";
import { pick } from "#platform/pick-members.ts";
import type { KeyBudget } from "./budget.ts";

/** An API key as it may be shown: never its secret. */
export interface ApiKey extends KeyBudget {
  readonly apiKeyId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  /** False of a test key. */
  readonly livemode: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** The key that made it; null where an account or an operator did. */
  readonly parentKeyId: string | null;
}

/** Revocation outlasts expiry: a revoked key stays revoked. */
function statusOf(key: ApiKey, nowMs: number): "active" | "revoked" | "expired" {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && key.expiresAt <= nowMs ? "expired" : "active";
}

function presentBudget({
  dailyBudget: daily,
  monthlyBudget: monthly,
  spentToday,
  spentThisMonth,
}: KeyBudget): ApiKeyView["budget"] {
  return daily === null && monthly === null ? null : { daily, monthly, spentToday, spentThisMonth };
}

/** A key as the interface shows it. */
export const presentKey = (key: ApiKey, nowMs: number): ApiKeyView => ({
  ...pick(key, "apiKeyId", "name", "prefix", "livemode"),
  scopes: [...key.scopes],
  status: statusOf(key, nowMs),
  createdAt: toTimestamp(key.createdAt),
  lastUsedAt: toTimestampOrNull(key.lastUsedAt),
  expiresAt: toTimestampOrNull(key.expiresAt),
  revokedAt: toTimestampOrNull(key.revokedAt),
  parentKeyId: key.parentKeyId,
  budget: presentBudget(key),
});
