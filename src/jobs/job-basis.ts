import type { Asset } from "../assets/asset.ts";
import { idsOf, type NamedAssets } from "../assets/ready-inputs.ts";
import { assetsByIds } from "../assets/store.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import type { PaidAccess } from "../ledger/payment.ts";
import { accessByWorkspace, toPaidAccess } from "../ledger/service.ts";
import {
  type FullJobWindow,
  type JobWindowLimits,
  jobWindowsStatement,
  jobWindowValues,
  noWindowIsFull,
  toFullWindow,
} from "./refund-windows.ts";

/** What is decided on when a job is asked for: the assets it names, and what its workspace can pay with. */
export interface JobBasis {
  readonly assets: readonly Asset[];
  readonly access: PaidAccess;
  readonly windowLimits: JobWindowLimits;
  /** The window of jobs given back that is full, if one is. */
  readonly fullWindow: FullJobWindow | null;
}

/** Read a job's basis, in one batch with whatever else is read then; `toJobBasis` takes their results. */
export const jobBasisStatements = (
  db: D1DatabaseSession,
  workspaceId: string,
  assetIds: NamedAssets,
  windowLimits: JobWindowLimits,
  nowMs: number,
): readonly D1PreparedStatement[] => [
  assetsByIds.bind(db, { workspaceId, assetIds: JSON.stringify(idsOf(assetIds)) }),
  accessByWorkspace.bind(db, { workspaceId }),
  jobWindowsStatement(db, workspaceId, windowLimits, nowMs),
];

export const toJobBasis = (
  [assets, access, windows]: readonly (D1Result | undefined)[],
  windowLimits: JobWindowLimits,
  nowMs: number,
): JobBasis => ({
  assets: assetsByIds.rows(assets),
  access: toPaidAccess(accessByWorkspace.row(access), nowMs),
  windowLimits,
  fullWindow: toFullWindow(windows, windowLimits),
});

/**
 * Fails the batch it stands in by the guard `job_preconditions`, unless a basis that was read a while ago still
 * holds: its assets are ready and not deleted (what is ready never changes otherwise), and the
 * workspace pays from the same source and has no full window. How much it has is the payment's to look at.
 */
export const requireBasisStatement = (
  db: D1Database,
  { workspaceId, nowMs }: IdempotencyClaim,
  { assets, access, windowLimits }: JobBasis,
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO batch_guards SELECT 'job_preconditions' WHERE (
         (SELECT has_unlimited_access FROM workspaces WHERE workspace_id = ?1) = ?2
         AND (SELECT subscription_id FROM subscriptions WHERE workspace_id = ?1 AND status = 'active') IS ?3
         AND (SELECT COUNT(*) FROM assets WHERE workspace_id = ?1 AND status = 'ready' AND deleted_at IS NULL
              AND asset_id IN (SELECT value FROM json_each(?4))) = json_array_length(?4)
         AND ${noWindowIsFull(5)}
       ) IS NOT TRUE`,
    )
    .bind(
      workspaceId,
      access.hasUnlimitedAccess ? 1 : 0,
      access.subscription?.subscriptionId ?? null,
      JSON.stringify(assets.map(({ assetId }) => assetId)),
      ...jobWindowValues(windowLimits, nowMs),
    );
