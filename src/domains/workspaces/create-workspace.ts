import { LEDGER_DESCRIPTIONS } from "#api/ledger-descriptions.ts";
import { SCOPES, type Scope } from "#api/scopes.ts";
import { DIRECTORY, entryHome } from "#platform/databases/shard-name.ts";
import { newId } from "#platform/ids.ts";
import { causeOfService } from "../audit/audit-store.ts";
import type { ApiKey } from "../keys/api-key.ts";
import { auditNewKey, prepareKey } from "../keys/create-key.ts";
import type { KeyDatabase } from "../keys/service.ts";
import { insertCreditEvent } from "../ledger/store.ts";
import { insertSubscription, insertWorkspace, newSubscription, type SubscriptionTerms } from "./store.ts";

export interface WorkspacePlan {
  readonly name: string;
  /** Credits to grant; 0 for none. */
  readonly credits: number;
  readonly subscription: SubscriptionTerms | null;
  readonly hasUnlimitedAccess: boolean;
  /** Scopes of the first key. */
  readonly scopes?: readonly Scope[];
}

export interface CreatedWorkspace {
  readonly workspaceId: string;
  readonly apiKey: ApiKey;
  /** Shown once, never stored. */
  readonly secret: string;
}

/**
 * Creates a workspace with its access and first key, in one batch. On a shard, the directory's entry is written first;
 * if the batch then fails, the entry is harmless. For operators; no route calls it.
 */
export async function createWorkspace(
  database: KeyDatabase & { readonly directory?: D1Database },
  plan: WorkspacePlan,
  nowMs: number,
): Promise<CreatedWorkspace> {
  const { db } = database;
  const workspaceId = newId();
  const key = await prepareKey(database, {
    workspaceId,
    name: "First key",
    kind: "live",
    scopes: plan.scopes ?? SCOPES,
    expiresAt: null,
    nowMs,
  });
  const workspace = {
    workspaceId,
    name: plan.name,
    kind: "standard" as const,
    hasUnlimitedAccess: plan.hasUnlimitedAccess,
    createdAt: nowMs,
    expiresAt: null,
  };
  const cause = causeOfService("operator", nowMs);
  const statements = [
    insertWorkspace.bind(db, { ...workspace, home: null }),
    key.statement,
    auditNewKey(db, { workspaceId, ...key.apiKey }, cause),
  ];
  if (plan.credits > 0) statements.push(grantStatement(db, workspaceId, plan.credits, nowMs));
  if (plan.subscription !== null) {
    statements.push(insertSubscription.bind(db, newSubscription(workspaceId, plan.subscription, nowMs)));
  }
  const home = entryHome(database.home ?? DIRECTORY);
  if (home !== null && database.directory !== undefined) {
    await insertWorkspace.run(database.directory, { ...workspace, home });
  }
  await db.batch(statements);
  return { workspaceId, apiKey: key.apiKey, secret: key.secret };
}

export interface GrantCause {
  /**
   * Identifies the cause of the grant, such as an invoice. A repeated reference grants nothing; without a reference,
   * every call grants.
   */
  readonly reference?: string;
  readonly description?: string;
}

/** An operator's grant of credits; writes nothing for an unknown workspace. */
export const grantStatement = (
  db: D1Database,
  workspaceId: string,
  credits: number,
  nowMs: number,
  cause: GrantCause = {},
): D1PreparedStatement =>
  insertCreditEvent.bind(db, {
    workspaceId,
    type: "grant",
    amount: credits,
    reference: `workspace:${workspaceId}:grant:${cause.reference ?? newId()}`,
    description: cause.description ?? LEDGER_DESCRIPTIONS.granted,
    nowMs,
  });
