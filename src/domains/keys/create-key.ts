import { accept, type Outcome, type Refusal, refuse, refuseMember } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { Scope } from "#api/scopes.ts";
import { toTimestamp } from "#platform/clock.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import { auditRow, type Cause } from "../audit/audit-store.ts";
import type { ApiKey } from "./api-key.ts";
import { type BudgetLimits, NO_BUDGET } from "./budget.ts";
import type { Principal } from "./principal.ts";
import { generateSecret, type KeyKind, prefixOf } from "./secret.ts";
import { hashSecret, type KeyDatabase, keyRevoked } from "./service.ts";
import { auditKey, insertKey, insertKeyWithinLimits, keyStatus, type NewKey } from "./store.ts";

export interface KeyPlan {
  readonly workspaceId: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  /** The key that creates it; absent when an account or an operator does. */
  readonly parentKeyId?: string;
  /** Unlimited when absent. */
  readonly budget?: BudgetLimits;
  readonly nowMs: number;
}

/** A key created by a request, with its cause for the audit log. */
type AuditedPlan = Omit<KeyPlan, "nowMs"> & { readonly cause: Cause };

export interface MadeKey {
  readonly apiKey: ApiKey;
  readonly secret: string;
  readonly record: NewKey;
}

export async function makeKey(
  { keyPepper, keyCheckSecret, home }: KeyDatabase,
  plan: KeyPlan,
): Promise<MadeKey> {
  const secret = generateSecret(plan.kind, home, keyCheckSecret);
  const apiKey: ApiKey = {
    apiKeyId: newId(),
    name: plan.name,
    prefix: prefixOf(secret),
    scopes: plan.scopes,
    livemode: plan.kind !== "test",
    createdAt: plan.nowMs,
    lastUsedAt: null,
    expiresAt: plan.expiresAt,
    revokedAt: null,
    parentKeyId: plan.parentKeyId ?? null,
    agentClientId: null,
    agentHost: null,
    ...NO_BUDGET,
    ...plan.budget,
  };
  const secretHash = await hashSecret(keyPepper, secret);
  return { apiKey, secret, record: { ...apiKey, workspaceId: plan.workspaceId, secretHash } };
}

export interface PreparedKey {
  readonly apiKey: ApiKey;
  readonly secret: string;
  /** Inserts the key, in the caller's batch. */
  readonly statement: D1PreparedStatement;
}

/** Makes a key and the statement that inserts it. */
export async function prepareKey(database: KeyDatabase, plan: KeyPlan): Promise<PreparedKey> {
  const { apiKey, secret, record } = await makeKey(database, plan);
  return { apiKey, secret, statement: insertKey.bind(database.db, record) };
}

export interface KeyRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  /** False for a test key; defaults to the creating key's mode. */
  readonly livemode?: boolean | undefined;
  /** Unlimited when absent. */
  readonly budget?: BudgetLimits;
}

/** A new key with its secret, which is shown only once. */
export interface ShownKey {
  readonly apiKey: ApiKey;
  readonly secret: string;
}

/**
 * Creates a key in the creator's workspace; its expiry defaults to the creator's. Refuses:
 * - SCOPE_NOT_GRANTABLE for a scope that the creator lacks, from a session key, and from a key with a budget, which the
 *   new key would evade;
 * - TEST_KEY_REFUSED for a live key from a test key;
 * - PAID_ACCESS_REQUIRED for a live key when the workspace has neither paid access nor credits;
 * - INVALID_REQUEST for an expiry in the past or after the creator's;
 * - API_KEY_LIMIT_REACHED for too many keys or too long a chain of them;
 * - KEY_REVOKED when the creator was revoked during the request.
 */
export async function createKey(
  database: KeyDatabase,
  creator: Principal,
  workspaceHasPaidAccess: boolean,
  request: KeyRequest,
  cause: Cause,
): Promise<Outcome<ShownKey>> {
  if (creator.isOfSession) {
    return refuse("SCOPE_NOT_GRANTABLE", "A session's key cannot create keys.", {
      nextAction: "Create the key with the session: POST /api/account/workspaces/{workspaceId}/api-keys.",
    });
  }
  const notHeld = request.scopes.filter((scope) => !creator.scopes.includes(scope));
  if (notHeld.length > 0) {
    return refuse("SCOPE_NOT_GRANTABLE", `The creating key does not hold ${notHeld.join(", ")}.`, {
      missingScopes: notHeld,
    });
  }
  const { livemode = creator.livemode } = request;
  if (livemode && !creator.livemode) {
    return refuse("TEST_KEY_REFUSED", "A test key can create only test keys.", {
      nextAction: "Send `livemode` false, or create the live key with a live one or from an account.",
    });
  }
  if (livemode && !workspaceHasPaidAccess) {
    return refuse("PAID_ACCESS_REQUIRED", "The workspace has neither paid access nor credits.");
  }
  const endsMs = creator.expiresAt;
  if (endsMs !== null && request.expiresAt !== null && request.expiresAt > endsMs) {
    return refuseExpiry(`must be at most the creating key's own, ${toTimestamp(endsMs)}`);
  }
  return storeKey(database, {
    ...request,
    expiresAt: request.expiresAt ?? endsMs,
    workspaceId: creator.workspaceId,
    kind: livemode ? liveKindOf(creator) : "test",
    parentKeyId: creator.apiKeyId,
    cause,
  });
}

const liveKindOf = ({ workspaceKind }: Principal): KeyKind => (workspaceKind === "trial" ? "trial" : "live");

const refuseExpiry = (message: string): Refusal => refuseMember("body", "expiresAt", message);

/**
 * Creates a key for the owner of a workspace, who has every scope. It needs no paid access, because this is how a
 * customer gets the first key. INVALID_REQUEST for a past expiry, API_KEY_LIMIT_REACHED for too many keys.
 */
export const createKeyAsOwner = (
  database: KeyDatabase,
  workspaceId: string,
  request: KeyRequest,
  cause: Cause,
): Promise<Outcome<ShownKey>> =>
  storeKey(database, { ...request, workspaceId, kind: request.livemode === false ? "test" : "live", cause });

async function storeKey(
  database: KeyDatabase,
  { cause, ...audited }: AuditedPlan,
): Promise<Outcome<ShownKey>> {
  const { db } = database;
  const plan = { ...audited, nowMs: cause.nowMs };
  if (plan.expiresAt !== null && plan.expiresAt <= plan.nowMs) {
    return refuseExpiry("must be in the future");
  }
  const { apiKey, secret, record } = await makeKey(database, plan);
  if (!(await storeWithinLimit(db, record, cause))) {
    if (plan.parentKeyId !== undefined) {
      const { workspaceId, parentKeyId } = plan;
      const parent = await keyStatus.first(latest(db), { workspaceId, apiKeyId: parentKeyId });
      if (parent?.isActive !== true) return keyRevoked();
      if (parent.hasBudget) {
        return refuse("SCOPE_NOT_GRANTABLE", "A key with a budget cannot create keys.", {
          nextAction: "Create the key with one that has no budget, or from an account.",
        });
      }
      if (parent.isLastGeneration) {
        return refuse("API_KEY_LIMIT_REACHED", "The creating key is too far down a chain of keys.", {
          nextAction: "Create the key with an older key of the chain, or from an account.",
        });
      }
    }
    return refuse(
      "API_KEY_LIMIT_REACHED",
      `The workspace already has ${LIMITS.activeKeysPerWorkspaceMax} active keys.`,
    );
  }
  return accept({ apiKey, secret });
}

/** The audit event of a key inserted earlier in the batch. */
export const auditNewKey = (
  db: D1Database,
  { workspaceId, apiKeyId, scopes }: Pick<NewKey, "workspaceId" | "apiKeyId" | "scopes">,
  cause: Cause,
): D1PreparedStatement => {
  const event = { workspaceId, type: "key.created", subjectId: apiKeyId, detail: scopes.join(" ") } as const;
  return auditKey.bind(db, auditRow(cause, event));
};

/**
 * False when the workspace has too many keys, or the creator was revoked meanwhile or may not create keys. A committed
 * write whose response was lost counts as stored, because only this response can hand out the secret.
 */
async function storeWithinLimit(db: D1Database, record: NewKey, cause: Cause): Promise<boolean> {
  try {
    const [stored] = await db.batch([insertKeyWithinLimits.bind(db, record), auditNewKey(db, record, cause)]);
    return (stored?.meta.changes ?? 0) > 0;
  } catch (thrown) {
    if ((await keyStatus.first(latest(db), record)) !== null) return true;
    throw thrown;
  }
}
