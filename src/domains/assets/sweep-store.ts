import { and, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Rejection } from "#api/schemas/asset.ts";
import { isNotMoving } from "#platform/db/batch-guard.ts";
import { assets, jobs, uploads, workspaces } from "#platform/db/schema/index.ts";
import { type Given, matches, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";

/** SQL of the sweeps over the assets of all workspaces. */

type OpenUploads = { readonly expiredMs: number; readonly limit: number };

/** Assets of uploads that were still open when they expired, oldest first. */
const assetsOfOpenUploads = (given: Given<OpenUploads>) =>
  sql`(select ${uploads.assetId} from ${uploads}
    where ${uploads.status} = 'pending' and ${uploads.expiresAt} <= ${given.expiredMs}
      and ${isNotMoving(uploads.workspaceId)}
    order by ${uploads.expiresAt}, ${uploads.uploadId} limit ${given.limit})`;

/** Precedes `expireOpenUploads` in its batch. */
export const rejectAssetsOfOpenUploads = statement(
  (given: Given<OpenUploads & Rejection & { nowMs: number }>) =>
    query
      .update(assets)
      .set({
        status: "rejected",
        rejectionCode: given.code,
        rejectionMessage: given.message,
        purgeAfter: sql`coalesce(${assets.purgeAfter}, ${given.nowMs})`,
      })
      .where(and(eq(assets.status, "processing"), inArray(assets.assetId, assetsOfOpenUploads(given)))),
);

export const expireOpenUploads = statement((given: Given<OpenUploads>) =>
  query
    .update(uploads)
    .set({ status: "expired" })
    .where(inArray(uploads.assetId, assetsOfOpenUploads(given))),
);

/** Marks the assets of workspaces that expired between two times as deleted. */
export const markAssetsOfEndedWorkspacesDeleted = statement(
  (given: Given<{ endedAfterMs: number; endedMs: number; nowMs: number; limit: number }>) =>
    query
      .update(assets)
      .set({
        deletedAt: given.nowMs,
        purgeAfter: sql`iif(${assets.objectKey} = '', null, ${given.nowMs})`,
      })
      .where(
        sql`${assets.assetId} in (
          select ${assets.assetId} from ${workspaces} join ${assets} on ${assets.workspaceId} = ${workspaces.workspaceId}
          where ${workspaces.expiresAt} is not null and ${workspaces.expiresAt} > ${given.endedAfterMs}
            and ${workspaces.expiresAt} <= ${given.endedMs} and ${assets.deletedAt} is null
            and ${isNotMoving(assets.workspaceId)}
          limit ${given.limit})`,
      ),
);

const due = alias(assets, "due");

/**
 * Assets whose bytes may be deleted and that no open job names. The oldest asset of each workspace comes first, then
 * the second oldest of each, and so on, so that no workspace waits for another's thousands of assets.
 */
export const assetsWithBytesToDelete = statement((given: Given<{ nowMs: number; limit: number }>) => {
  // Each workspace is found with one index lookup, starting at the previous one.
  const owners = sql`(with recursive owner (workspace_id) as (
      select min(${assets.workspaceId}) from ${assets} where ${assets.purgeAfter} is not null
      union all
      select (select min(${assets.workspaceId}) from ${assets}
        where ${assets.purgeAfter} is not null and ${assets.workspaceId} > owner.workspace_id)
      from owner where owner.workspace_id is not null
    ) select workspace_id from owner) as owner`;
  // A job's inputs name the bytes by object key, which is unique and needs no JSON escapes.
  const ofOwner = sql`(select ${assets.assetId} from ${assets}
    where ${assets.workspaceId} = owner.workspace_id and ${assets.purgeAfter} is not null
      and ${assets.purgeAfter} <= ${given.nowMs} and not exists (select 1 from ${jobs}
        where ${jobs.workspaceId} = ${assets.workspaceId} and ${jobs.status} in ('queued', 'running')
          and instr(${jobs.renderInputs}, ${assets.objectKey}) > 0)
      and ${isNotMoving(assets.workspaceId)}
    order by ${assets.purgeAfter} limit ${given.limit})`;
  return query
    .select({ assetId: due.assetId, workspaceId: due.workspaceId })
    .from(owners)
    .innerJoin(due, inArray(due.assetId, ofOwner))
    .orderBy(
      sql`row_number() over (partition by ${due.workspaceId} order by ${due.purgeAfter})`,
      due.purgeAfter,
    )
    .limit(given.limit);
});

/** Records that an asset's bytes are deleted. */
export const setBytesDeleted = statement((given: Given<{ workspaceId: string; assetId: string }>) =>
  query
    .update(assets)
    .set({ objectKey: "", purgeAfter: null })
    .where(matches(assets, pick(given, "workspaceId", "assetId"))),
);

type DeadAssets = { readonly beforeMs: number; readonly limit: number };

/** Deleted or rejected assets that are old enough and whose bytes are deleted. */
const deadAssets = (given: Given<DeadAssets>) =>
  sql`(select ${assets.assetId} from ${assets}
    where (${assets.deletedAt} is not null or ${assets.status} = 'rejected')
      and ${assets.createdAt} <= ${given.beforeMs} and coalesce(${assets.deletedAt}, 0) <= ${given.beforeMs}
      and ${assets.purgeAfter} is null and ${isNotMoving(assets.workspaceId)}
    order by ${assets.createdAt} limit ${given.limit})`;

/** Precedes `deleteDeadAssetRows` in its batch. */
export const deleteUploadsOfDeadAssets = statement((given: Given<DeadAssets>) =>
  query.delete(uploads).where(inArray(uploads.assetId, deadAssets(given))),
);

export const deleteDeadAssetRows = statement((given: Given<DeadAssets>) =>
  query.delete(assets).where(inArray(assets.assetId, deadAssets(given))),
);
