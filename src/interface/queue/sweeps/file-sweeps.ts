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
import { ROWS_MAX, type Sweep } from "./sweep.ts";

/** Each is listed and deleted; they are marked together. */
const ASSETS_MAX = 80;
/** A deletion and a write take a hundred of them, more or less; sixty requests at most. */
const ARTIFACTS_MAX = 500;
/** Workspaces and days, each with hundreds of packs and eight requests. */
const OLD_PACK_GROUPS_MAX = 15;
/** One deletion takes them all. */
const PREVIEWS_MAX = 1_000;

/** Assets, packs and previews whose time has passed; without storage, their rows alone. */
export function fileSweeps(db: D1Database, bucket: R2Bucket | null, nowMs: number): readonly Sweep[] {
  const ofRows: readonly Sweep[] = [
    { event: "sweep_uploads", run: () => expireUploads(db, nowMs, ROWS_MAX) },
    { event: "sweep_imports", run: () => expireImports(db, nowMs, ROWS_MAX) },
    {
      event: "sweep_ended_workspaces",
      run: () => deleteAssetsOfEndedWorkspaces(db, nowMs, ROWS_MAX),
    },
    { event: "sweep_dead_assets", run: () => deleteDeadAssets(db, nowMs, ROWS_MAX) },
  ];
  if (bucket === null) return ofRows;
  return [
    ...ofRows,
    { event: "sweep_previews", run: () => deleteExpiredPreviews(db, bucket, nowMs, PREVIEWS_MAX) },
    { event: "sweep_assets", run: () => deleteAssetBytes(db, bucket, nowMs, ASSETS_MAX) },
    {
      event: "sweep_artifacts",
      run: async () => {
        const { expired, deleted } = await expireArtifacts(db, bucket, nowMs, ARTIFACTS_MAX);
        return expired + deleted;
      },
    },
    { event: "sweep_old_packs", run: () => archiveOldPacks(db, bucket, nowMs, OLD_PACK_GROUPS_MAX) },
  ];
}
