import type { Asset } from "../assets/asset.ts";
import { idsOf, type NamedAssets } from "../assets/ready-inputs.ts";
import { liveAssetsOf, liveAssetsStatement } from "../assets/store.ts";
import type { PaidAccess } from "../ledger/payment.ts";
import { accessOf, accessStatement, toPaidAccess } from "../ledger/service.ts";

/** What is decided on when a job is asked for: the assets it names, and what its workspace can pay with. */
export interface JobBasis {
  readonly assets: readonly Asset[];
  readonly access: PaidAccess;
}

/** Read a job's basis, in one batch with whatever else is read then; `toJobBasis` takes their results. */
export const jobBasisStatements = (
  db: D1DatabaseSession,
  workspaceId: string,
  assetIds: NamedAssets,
): readonly D1PreparedStatement[] => [
  liveAssetsStatement(db, workspaceId, idsOf(assetIds)),
  accessStatement(db, workspaceId),
];

export const toJobBasis = ([assets, access]: readonly (D1Result | undefined)[], nowMs: number): JobBasis => ({
  assets: liveAssetsOf(assets),
  access: toPaidAccess(accessOf(access), nowMs),
});
