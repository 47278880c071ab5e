import type { ApiKeyView } from "#api/schemas/api-key.ts";
import type { Scope } from "#api/scopes.ts";
import { toTimestamp, toTimestampOrNull } from "#platform/clock.ts";
import { pick } from "#platform/pick-members.ts";
import type { KeyBudget } from "./budget.ts";

/** An API key without its secret. */
export interface ApiKey extends KeyBudget {
  readonly apiKeyId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  /** False for a test key. */
  readonly livemode: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Null for a key created from an account or by an operator. */
  readonly parentKeyId: string | null;
  /** Set for an agent's connection: the OAuth client's id, and the host of its metadata or of its redirect URI. */
  readonly agentClientId: string | null;
  readonly agentHost: string | null;
}

/** Revocation takes precedence over expiry. */
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

export const presentKey = (key: ApiKey, nowMs: number): ApiKeyView => ({
  ...pick(key, "apiKeyId", "name", "prefix", "livemode"),
  scopes: [...key.scopes],
  status: statusOf(key, nowMs),
  createdAt: toTimestamp(key.createdAt),
  lastUsedAt: toTimestampOrNull(key.lastUsedAt),
  expiresAt: toTimestampOrNull(key.expiresAt),
  revokedAt: toTimestampOrNull(key.revokedAt),
  parentKeyId: key.parentKeyId,
  agent:
    key.agentHost === null
      ? null
      : { host: key.agentHost, isVerified: key.agentClientId?.startsWith("https:") === true },
  budget: presentBudget(key),
});
