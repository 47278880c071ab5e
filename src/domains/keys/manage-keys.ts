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

/** Whose keys a caller reads and revokes: all of the workspace, or for a test key (`livemode` false) only test keys. */
interface KeyReach {
  readonly workspaceId: string;
  readonly livemode: boolean;
}

/**
 * A page of the workspace's keys, newest first, ended ones too: older than the key `before` (null begins with the newest),
 * made by one key or by any (null). Its cursor is the id of a key.
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

/** What of a key is changed; what is absent stays. */
export interface KeyChanges {
  readonly name?: string | undefined;
  readonly budget?: BudgetLimits | undefined;
}

/**
 * Changes a key's name or budget; a lower budget holds for the very next order. API_KEY_NOT_FOUND when the workspace has
 * none of this id. Keys that it made before stay as they are.
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
    ? refuse("API_KEY_NOT_FOUND", "The workspace has no API key of this id.")
    : accept(changed);
}

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
  if (apiKey === null) return refuse("API_KEY_NOT_FOUND", "The workspace has no API key of this id.");
  return accept({ apiKey, descendants: descendants.rows(others) });
}

/** The revocation as the interface shows it. */
export const presentRevocation = ({ apiKey, descendants }: Revocation, nowMs: number): RevokedKeyView => ({
  ...presentKey(apiKey, nowMs),
  descendants: descendants.map((key) => presentKey(key, nowMs)),
});
