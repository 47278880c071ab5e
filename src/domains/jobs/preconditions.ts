import type { Preparer } from "#platform/db/statement.ts";
import type { Asset } from "../assets/asset.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import type { BudgetAtOrder } from "../keys/budget.ts";
import type { PaidAccess } from "../ledger/payment.ts";
import { type FullJobWindow, type JobWindowLimits, windowValues } from "./refund-rate-limit.ts";
import { assertPreconditions } from "./store.ts";

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

/**
 * Fails its batch by the guard `job_preconditions`, unless cached preconditions still hold: the assets are ready and not
 * deleted (what is ready never changes otherwise), and the workspace pays from the same source, has no full window and
 * no owner who is to confirm an address.
 * How much it has is for the payment to guard.
 */
export const preconditionGuard = (
  db: Preparer,
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
