import { archiveOldPacks } from "#domains/artifacts/archive-packs.ts";
import { expireArtifacts } from "#domains/artifacts/retention-sweep.ts";
import { expireImports } from "#domains/assets/imports/import-store.ts";
import {
  deleteAssetBytes,
  deleteAssetsOfEndedWorkspaces,
  deleteDeadAssets,
  expireUploads,
} from "#domains/assets/retention-sweeps.ts";
import { deleteExpiredPreviews } from "#domains/previews/preview-cache.ts";
import { ROWS_MAX, type Sweeps } from "./sweep.ts";

/** Each asset needs a listing and a deletion; one write marks all of them. */
const ASSETS_MAX = 80;
/** One deletion and one write cover about a hundred packs. The whole sweep needs at most sixty requests. */
const ARTIFACTS_MAX = 500;
/** Packs are grouped by workspace and day. A group has hundreds of packs and needs eight requests. */
const OLD_PACK_GROUPS_MAX = 15;
/** One call deletes all previews of a run. */
const PREVIEWS_MAX = 1_000;

/** Deletes expired assets, packs and previews; without storage, only their rows. */
export function fileSweeps(db: D1Database, bucket: R2Bucket | null, nowMs: number): Sweeps {
  const ofRows: Sweeps = {
    sweep_uploads: () => expireUploads(db, nowMs, ROWS_MAX),
    sweep_imports: () => expireImports(db, nowMs, ROWS_MAX),
    sweep_ended_workspaces: () => deleteAssetsOfEndedWorkspaces(db, nowMs, ROWS_MAX),
    sweep_dead_assets: () => deleteDeadAssets(db, nowMs, ROWS_MAX),
  };
  if (bucket === null) return ofRows;
  return {
    ...ofRows,
    sweep_previews: () => deleteExpiredPreviews(db, bucket, nowMs, PREVIEWS_MAX),
    sweep_assets: () => deleteAssetBytes(db, bucket, nowMs, ASSETS_MAX),
    sweep_artifacts: async () => {
      const { expired, deleted } = await expireArtifacts(db, bucket, nowMs, ARTIFACTS_MAX);
      return expired + deleted;
    },
    sweep_old_packs: () => archiveOldPacks(db, bucket, nowMs, OLD_PACK_GROUPS_MAX),
  };
}
