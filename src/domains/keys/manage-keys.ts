import { accept, type Outcome, refuse } from "#api/errors.ts";
import type { RevokedKeyView } from "#api/schemas/api-key.ts";
import { type Page, toPage } from "#platform/db/page.ts";
import { auditRow, type Cause } from "../audit/audit-store.ts";
import { type ApiKey, presentKey } from "./api-key.ts";
import type { BudgetLimits } from "./budget.ts";
import {
  activeDescendants,
  auditKey,
  auditRevocation,
  changeKey,
  keysPage,
  markKeyRevoked,
  revokeDescendants,
} from "./store.ts";

/**
 * The keys that a caller may read and revoke: all keys of the workspace, or for a test key (`livemode` false) only test
 * keys.
 */
interface KeyReach {
  readonly workspaceId: string;
  readonly livemode: boolean;
}

/**
 * A page of the workspace's keys, newest first, including revoked and expired keys; optionally only keys older than the
 * key `before`, or created by one key. The cursor is a key's id.
 */
export async function listKeys(
  db: D1Database,
  { workspaceId, livemode }: KeyReach,
  before: string | null,
  parentKeyId: string | null,
  limit: number,
  nowMs: number,
): Promise<Page<ApiKey, string>> {
  const found = await keysPage.all(db, {
    workspaceId,
    livemode,
    before,
    parentKeyId,
    nowMs,
    limit: limit + 1,
  });
  return toPage(found, limit, ({ apiKeyId }) => apiKeyId);
}

/** Changes to a key; absent fields stay unchanged. */
export interface KeyChanges {
  readonly name?: string | undefined;
  readonly budget?: BudgetLimits | undefined;
}

/**
 * Changes a key's name or budget, effective from the next order. Keys that this key created do not change.
 * API_KEY_NOT_FOUND when the workspace has no key with this id.
 */
export async function updateKey(
  db: D1Database,
  key: { readonly workspaceId: string; readonly apiKeyId: string },
  { name, budget }: KeyChanges,
  cause: Cause,
): Promise<Outcome<ApiKey>> {
  const { nowMs } = cause;
  const { workspaceId, apiKeyId } = key;
  const event = { workspaceId, type: "key.changed", subjectId: apiKeyId } as const;
  const update = changeKey.bind(db, {
    ...key,
    name: name ?? null,
    changesBudget: budget === undefined ? 0 : 1,
    dailyBudget: budget?.dailyBudget ?? null,
    monthlyBudget: budget?.monthlyBudget ?? null,
    nowMs,
  });
  const [result] = await db.batch([update, auditKey.bind(db, auditRow(cause, event))]);
  const changed = changeKey.row(result);
  return changed === null
    ? refuse("API_KEY_NOT_FOUND", "The workspace has no API key with this id.")
    : accept(changed);
}

export interface Revocation {
  readonly apiKey: ApiKey;
  /** Keys created by the revoked key, directly or through others, that were active until now. */
  readonly descendants: readonly ApiKey[];
}

/**
 * Revokes a key, and with `isCascade` its active descendants, in one batch. A descendant that is being created is
 * either revoked too or refused, as its creator is revoked. API_KEY_NOT_FOUND when the workspace has no key with this id.
 */
export async function revokeKey(
  db: D1Database,
  { workspaceId, livemode }: KeyReach,
  apiKeyId: string,
  isCascade: boolean,
  cause: Cause,
): Promise<Outcome<Revocation>> {
  const key = { workspaceId, livemode, apiKeyId, nowMs: cause.nowMs };
  const event = { workspaceId, type: "key.revoked", subjectId: apiKeyId } as const;
  const descendants = isCascade ? revokeDescendants : activeDescendants;
  const [, revoked, others] = await db.batch([
    auditRevocation.bind(db, { ...auditRow(cause, event), isCascade, livemode }),
    markKeyRevoked.bind(db, key),
    descendants.bind(db, key),
  ]);
  const apiKey = markKeyRevoked.row(revoked);
  if (apiKey === null) return refuse("API_KEY_NOT_FOUND", "The workspace has no API key with this id.");
  return accept({ apiKey, descendants: descendants.rows(others) });
}

export const presentRevocation = ({ apiKey, descendants }: Revocation, nowMs: number): RevokedKeyView => ({
  ...presentKey(apiKey, nowMs),
  descendants: descendants.map((key) => presentKey(key, nowMs)),
});
