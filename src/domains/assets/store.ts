import {
  and,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  lt,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { LIMITS } from "#api/limits.ts";
import type { Rejection } from "#api/schemas/asset.ts";
import type { SlotId } from "#api/slots.ts";
import { guard } from "#platform/db/batch-guard.ts";
import { assets, ledgerEvents, subscriptions, uploads, workspaces } from "#platform/db/schema/index.ts";
import { type Given, matches, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { isKeyActive } from "../keys/store.ts";

/** SQL of assets and uploads. Every statement names the workspace, so that another workspace's id finds nothing. */

type AssetId = { readonly workspaceId: string; readonly assetId: string };
type UploadId = { readonly workspaceId: string; readonly uploadId: string };

const { purgeAfter: _, rejectionCode, rejectionMessage, ...ownColumns } = getTableColumns(assets);

/** Stored progress of an import. `nextAttemptAt` is null during an attempt. */
interface ImportProgress {
  readonly attempts: number;
  readonly nextAttemptAt: number | null;
  readonly lastFailure: Rejection | null;
}

/** Columns of an asset for code outside the store. */
const assetFields = {
  ...ownColumns,
  // Column names as text, because drizzle omits table names when only one table is read.
  importProgress: sql<ImportProgress | null>`case when assets.status = 'processing' then
    (select json_object('attempts', import.attempts, 'nextAttemptAt', iif(import.lease_id is null, import.next_attempt_at, null),
      'lastFailure', json(import.last_failure))
    from asset_imports as import where import.asset_id = assets.asset_id) end`.mapWith(
    (json: string): ImportProgress => JSON.parse(json),
  ),
  rejection: sql<Rejection | null>`case when ${rejectionCode} is not null
    then json_object('code', ${rejectionCode}, 'message', coalesce(${rejectionMessage}, ${rejectionCode})) end`.mapWith(
    (json: string): Rejection => JSON.parse(json),
  ),
};

const isAsset = (given: Given<AssetId>) => matches(assets, pick(given, "workspaceId", "assetId"));

/** An asset, deleted or not. */
export const assetById = statement((given: Given<AssetId>) =>
  query.read(assets, assetFields).where(isAsset(given)),
);

/** The undeleted assets among a JSON array of ids, in no particular order. */
export const assetsByIds = statement((given: Given<{ workspaceId: string; assetIds: string }>) =>
  query
    .read(assets, assetFields)
    .where(
      and(
        eq(assets.workspaceId, given.workspaceId),
        isNull(assets.deletedAt),
        inArray(assets.assetId, sql`(select value from json_each(${given.assetIds}))`),
      ),
    ),
);

interface AssetsPage {
  readonly workspaceId: string;
  readonly beforeMs: number | null;
  readonly status: "processing" | "ready" | "rejected" | null;
  readonly limit: number;
}

const page = (given: Given<AssetsPage>, condition?: SQL) =>
  query
    .read(assets, assetFields)
    .where(
      and(
        eq(assets.workspaceId, given.workspaceId),
        isNull(assets.deletedAt),
        // `coalesce` instead of `or`, so that the search of the creation-time index starts at `beforeMs`.
        lt(assets.createdAt, sql`coalesce(${given.beforeMs}, ${Number.MAX_SAFE_INTEGER})`),
        or(isNull(given.status), eq(assets.status, given.status)),
        condition,
      ),
    )
    .orderBy(desc(assets.createdAt))
    .limit(given.limit);

/** Undeleted assets, newest first, optionally created before a time or with a status. Each statement uses its index. */
export const assetPages = {
  all: statement((given: Given<AssetsPage>) => page(given)),
  ofSlot: statement((given: Given<AssetsPage & { slotId: SlotId }>) =>
    page(given, eq(assets.slotId, given.slotId)),
  ),
  /** Filters by the SHA-256 of the bytes, and optionally by slot. */
  ofBytes: statement((given: Given<AssetsPage & { sha256: string; slotId: SlotId | null }>) =>
    page(
      given,
      and(eq(assets.sha256, given.sha256), or(isNull(given.slotId), eq(assets.slotId, given.slotId))),
    ),
  ),
};

/** Marks an asset as deleted. No row when it does not exist or is deleted already. */
export const markAssetDeleted = statement((given: Given<AssetId & { nowMs: number; purgeAfter: number }>) =>
  query
    .update(assets)
    .set({
      deletedAt: given.nowMs,
      purgeAfter: sql`iif(${assets.objectKey} = '', null, ${given.purgeAfter})`,
    })
    .where(and(isAsset(given), isNull(assets.deletedAt)))
    .returning(assetFields),
);

const isUpload = (given: Given<UploadId>) => matches(uploads, pick(given, "workspaceId", "uploadId"));

export const uploadById = statement((given: Given<UploadId>) =>
  query
    .read(uploads, {
      ...pick(uploads, "uploadId", "workspaceId", "status", "expiresAt", "completedWithKey"),
      asset: assetFields,
    })
    .innerJoin(assets, eq(assets.assetId, uploads.assetId))
    .where(and(isUpload(given), eq(assets.workspaceId, given.workspaceId))),
);

/**
 * True if the workspace has a ledger event, an active subscription or unlimited access. Always true for a trial, which
 * starts with credits.
 */
export const wasEverPaid = (workspaceId: SQLWrapper): SQL => sql`(
  exists (select 1 from ${ledgerEvents} where ${ledgerEvents.workspaceId} = ${workspaceId})
  or exists (select 1 from ${subscriptions}
    where ${subscriptions.workspaceId} = ${workspaceId} and ${subscriptions.status} = 'active')
  or exists (select 1 from ${workspaces}
    where ${workspaces.workspaceId} = ${workspaceId} and ${workspaces.hasUnlimitedAccess} = 1))`;

/** Fails its batch with `asset_limit` when the workspace is at its limit of assets or bytes. */
export const assertAssetLimit = statement(
  (given: Given<{ workspaceId: string; workspaceKind: "standard" | "trial"; byteLength: number }>) => {
    const { workspaceId, workspaceKind } = given;
    const isPaid = wasEverPaid(workspaceId);
    const most = (max: { standard: number; trial: number; unpaid: number }) =>
      sql`iif(${isPaid}, iif(${workspaceKind} = 'trial', ${max.trial}, ${max.standard}), ${max.unpaid})`;
    const own = sql`from ${assets} where ${assets.workspaceId} = ${workspaceId}`;
    return guard(
      "asset_limit",
      sql`(select count(*) ${own} and ${assets.deletedAt} is null and ${assets.status} <> 'rejected')
          < ${most(LIMITS.assetsPerWorkspaceMax)}
        and (select count(*) ${own}) < ${most(LIMITS.assetRowsPerWorkspaceMax)}
        and (${workspaceKind} <> 'trial' and ${isPaid}
          or (select coalesce(sum(${assets.byteLength}), 0) ${own} and ${assets.objectKey} <> '')
            + ${given.byteLength} <= ${LIMITS.assetBytesUnpaidMax})`,
    );
  },
);

/** A file as its sender declares it. Width and height are null for fonts and optional for SVG. */
export type IntendedFile = Pick<
  RowOf<typeof assetById>,
  "slotId" | "fileName" | "mimeType" | "byteLength" | "width" | "height"
>;

/**
 * Inserts a `processing` asset. Its creation time is moved forward if needed, so that it is unique in the workspace.
 */
export const insertAsset = statement(
  (
    given: Given<AssetId & IntendedFile & { objectKey: string; importedFrom: string | null; nowMs: number }>,
  ) =>
    query.insert(assets).values({
      ...pick(given, "assetId", "workspaceId", "slotId"),
      status: "processing",
      ...pick(given, "fileName", "mimeType", "byteLength", "width", "height", "objectKey"),
      importedFrom: given.importedFrom,
      createdAt: sql`max(${given.nowMs}, coalesce(
        (select max(${assets.createdAt}) + 1 from ${assets} where ${assets.workspaceId} = ${given.workspaceId}), 0))`,
    }),
);

export const insertUpload = statement(
  (given: Given<AssetId & UploadId & { nowMs: number; expiresAt: number }>) =>
    query.insert(uploads).values({
      ...pick(given, "uploadId", "assetId", "workspaceId"),
      status: "pending",
      createdAt: given.nowMs,
      expiresAt: given.expiresAt,
    }),
);

export const objectKeyOfAsset = statement((given: Given<AssetId>) =>
  query.read(assets, { objectKey: assets.objectKey }).where(isAsset(given)),
);

/**
 * Sets the object key of a pending upload's asset, unless the upload has expired or was completed, the asset was
 * deleted, or the API key was revoked.
 */
export const setObjectKey = statement(
  (given: Given<AssetId & UploadId & { objectKey: string; apiKeyId: string; nowMs: number }>) =>
    query
      .update(assets)
      .set({ objectKey: given.objectKey })
      .where(
        sql`${isAsset(given)} and ${assets.status} = 'processing' and ${assets.deletedAt} is null
          and exists (select 1 from ${uploads} where ${uploads.assetId} = ${given.assetId}
            and ${uploads.uploadId} = ${given.uploadId} and ${uploads.status} = 'pending'
            and ${uploads.expiresAt} > ${given.nowMs})
          and ${isKeyActive(given.workspaceId, given.apiKeyId)}`,
      ),
);

/** Fails its batch with `upload_unchanged` unless the upload is pending and its asset has this object key. */
export const assertUploadUnchanged = statement((given: Given<UploadId & { objectKey: string }>) =>
  guard(
    "upload_unchanged",
    sql`exists (select 1 from ${uploads} join ${assets} on ${assets.assetId} = ${uploads.assetId}
      where ${isUpload(given)} and ${uploads.status} = 'pending' and ${assets.status} = 'processing'
        and ${assets.deletedAt} is null and ${assets.objectKey} = ${given.objectKey})`,
  ),
);

interface Closure {
  readonly status: "completed" | "rejected";
  readonly completedWithKey: string | null;
  readonly nowMs: number;
}

/** Ends an upload whose bytes were verified. */
export const closeUpload = statement((given: Given<UploadId & Closure>) =>
  query
    .update(uploads)
    .set({ status: given.status, completedWithKey: given.completedWithKey, completedAt: given.nowMs })
    .where(isUpload(given)),
);

type VerifiedFile = {
  readonly sha256: string;
  readonly width: number | null;
  readonly height: number | null;
};

export const setAssetReady = statement((given: Given<AssetId & VerifiedFile & { nowMs: number }>) =>
  query
    .update(assets)
    .set({
      status: "ready",
      ...pick(given, "sha256", "width", "height"),
      readyAt: given.nowMs,
    })
    .where(isAsset(given)),
);

/** Rejects an asset for good; its bytes may be deleted from now on. */
export const setAssetRejected = statement((given: Given<AssetId & Rejection & { nowMs: number }>) =>
  query
    .update(assets)
    .set({
      status: "rejected",
      rejectionCode: given.code,
      rejectionMessage: given.message,
      purgeAfter: given.nowMs,
    })
    .where(isAsset(given)),
);
