import { LRUCache } from "lru-cache";
import type { Asset } from "../assets/asset.ts";
import { idsOf, type NamedAssets } from "../assets/ready-inputs.ts";
import { assetsByIds } from "../assets/store.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import type { BudgetAtOrder } from "../keys/budget.ts";
import { budgetOfKey } from "../keys/budget-store.ts";
import { keyOfSecret, type SecretInUse, workspaceOfSecret } from "../keys/store.ts";
import type { PaidAccess } from "../ledger/payment.ts";
import { accessByWorkspace, toPaidAccess } from "../ledger/service.ts";
import { ownerByWorkspace } from "../workspaces/confirmed-owner.ts";
import { type FullJobWindow, fullWindowOf, type JobWindowLimits, windowValues } from "./refund-rate-limit.ts";
import { assertPreconditions, fullJobWindows } from "./store.ts";

/** What is decided on when a job is created: the assets that it names, what its workspace can pay with and its key may spend. */
export interface JobPreconditions {
  readonly assets: readonly Asset[];
  readonly access: PaidAccess;
  /** Of the key that asked. A cached one is another key's or out of date: the write holds it to what it is. */
  readonly budget: BudgetAtOrder | null;
  readonly windowLimits: JobWindowLimits;
  /** The window of refunded jobs that is full, if one is. */
  readonly fullWindow: FullJobWindow | null;
  /** Whether the origin sends mail, so that an owner can and must confirm the address. */
  readonly needsConfirmedOwner: boolean;
  readonly hasUnconfirmedOwner: boolean;
}

/** Read a job's preconditions, in one batch with other reads; `toPreconditions` takes their results. */
export const preconditionStatements = (
  db: D1DatabaseSession,
  { workspaceId, apiKeyId }: { readonly workspaceId: string; readonly apiKeyId: string },
  assetIds: NamedAssets,
  windowLimits: JobWindowLimits,
  nowMs: number,
): readonly D1PreparedStatement[] => [
  assetsByIds.bind(db, { workspaceId, assetIds: JSON.stringify(idsOf(assetIds)) }),
  accessByWorkspace.bind(db, { workspaceId }),
  fullJobWindows.bind(db, { workspaceId, ...windowValues(windowLimits, nowMs) }),
  ownerByWorkspace.bind(db, { workspaceId }),
  budgetOfKey.bind(db, { workspaceId, apiKeyId, nowMs }),
];

const ofSecret = {
  assets: assetsByIds.finding(workspaceOfSecret),
  access: accessByWorkspace.finding(workspaceOfSecret),
  windows: fullJobWindows.finding(workspaceOfSecret),
  owner: ownerByWorkspace.finding(workspaceOfSecret),
  budget: budgetOfKey.finding(keyOfSecret),
};

/** As `preconditionStatements`, of the workspace that a secret finds; nothing for a secret that may not order. */
export const preconditionsOfSecret = (
  db: D1DatabaseSession,
  secret: SecretInUse,
  assetIds: NamedAssets,
  windowLimits: JobWindowLimits,
): readonly D1PreparedStatement[] => [
  ofSecret.assets.bind(db, { ...secret, assetIds: JSON.stringify(idsOf(assetIds)) }),
  ofSecret.access.bind(db, secret),
  ofSecret.windows.bind(db, { ...secret, ...windowValues(windowLimits, secret.nowMs) }),
  ofSecret.owner.bind(db, secret),
  ofSecret.budget.bind(db, secret),
];

export const toPreconditions = (
  [assets, access, windows, owner, budget]: readonly (D1Result | undefined)[],
  windowLimits: JobWindowLimits,
  needsConfirmedOwner: boolean,
  nowMs: number,
): JobPreconditions => ({
  assets: assetsByIds.rows(assets),
  access: toPaidAccess(accessByWorkspace.row(access), nowMs),
  budget: budgetOfKey.row(budget),
  windowLimits,
  fullWindow: fullWindowOf(fullJobWindows.row(windows), windowLimits),
  needsConfirmedOwner,
  hasUnconfirmedOwner: ownerByWorkspace.row(owner)?.isUnconfirmed === 1,
});

/**
 * Fails its batch by the guard `job_preconditions`, unless cached preconditions still hold: the assets are ready and not
 * deleted (what is ready never changes otherwise), and the workspace pays from the same source, has no full window and
 * no owner who is to confirm an address.
 * How much it has is for the payment to guard.
 */
export const preconditionGuard = (
  db: D1Database,
  { workspaceId, nowMs }: IdempotencyClaim,
  { assets, access, windowLimits, needsConfirmedOwner }: JobPreconditions,
): D1PreparedStatement =>
  assertPreconditions.bind(db, {
    workspaceId,
    hasUnlimitedAccess: access.hasUnlimitedAccess ? 1 : 0,
    subscriptionId: access.subscription?.subscriptionId ?? null,
    assetIds: JSON.stringify(assets.map(({ assetId }) => assetId)),
    needsConfirmedOwner: needsConfirmedOwner ? 1 : 0,
    nowMs,
    ...windowValues(windowLimits, nowMs),
  });

/**
 * The preconditions of recent jobs of this isolate, so that the jobs of a burst over the same assets need not read them
 * again. They may be out of date: the write that relies on them has `preconditionGuard`.
 */
export interface PreconditionCache {
  find(workspaceId: string, assetIds: NamedAssets, nowMs: number): JobPreconditions | null;
  keep(workspaceId: string, assetIds: NamedAssets, preconditions: JobPreconditions, nowMs: number): void;
  /** Drops preconditions that no longer held. */
  drop(workspaceId: string, assetIds: NamedAssets): void;
}

/** Older ones fail too often to be worth their try. */
const CACHE_MS_MAX = 60_000;
/** A few hundred bytes each. */
const ENTRIES_MAX = 500;

export function createPreconditionCache(): PreconditionCache {
  const entries = new LRUCache<
    string,
    { readonly preconditions: JobPreconditions; readonly readAtMs: number }
  >({ max: ENTRIES_MAX });
  const keyOf = (workspaceId: string, assetIds: NamedAssets) => [workspaceId, ...idsOf(assetIds)].join(" ");
  return {
    find(workspaceId, assetIds, nowMs) {
      const entry = entries.get(keyOf(workspaceId, assetIds));
      const isRecent = entry !== undefined && Math.abs(nowMs - entry.readAtMs) < CACHE_MS_MAX;
      return isRecent ? entry.preconditions : null;
    },
    keep(workspaceId, assetIds, preconditions, nowMs) {
      entries.set(keyOf(workspaceId, assetIds), { preconditions, readAtMs: nowMs });
    },
    drop(workspaceId, assetIds) {
      entries.delete(keyOf(workspaceId, assetIds));
    },
  };
}
