import { and, eq, inArray, type lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { LIMITS } from "#api/limits.ts";
import type { Rejection } from "#api/schemas/asset.ts";
import { guard, isNotMoving } from "#platform/db/batch-guard.ts";
import { EARLY_MS_MAX } from "#platform/db/lease.ts";
import { type Claim, type Lease, leasedRows, type MessageAttempt } from "#platform/db/leased-rows.ts";
import { assetImports, assets, workspaces } from "#platform/db/schema/index.ts";
import { type Given, matches, query, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { wasEverPaid } from "../store.ts";

/** SQL of import attempts: their lease, how they end, and expiry. dispatch-imports.ts sends their messages. */

const IMPORT_EXPIRED: Rejection = {
  code: "IMPORT_EXPIRED",
  message: "The import could not be carried out in time. Import the address again.",
};

type AssetId = { readonly workspaceId: string; readonly assetId: string };

export const importRows = leasedRows({
  name: "import",
  messageKey: "assetId",
  table: assetImports,
  id: assetImports.assetId,
  leaseMs: LIMITS.importLeaseMs,
  attemptsMax: LIMITS.importAttemptsMax,
  isSwept: isNotMoving(assetImports.workspaceId),
});
const { isExhausted, isHeld } = importRows;

export const insertImport = statement(
  (given: Given<AssetId & { sealed: string; nowMs: number; expiresAt: number }>) =>
    query.insert(assetImports).values({
      ...pick(given, "assetId", "workspaceId", "sealed"),
      nextAttemptAt: given.nowMs,
      expiresAt: given.expiresAt,
    }),
);

/** Deletes an import with its sealed URL; changes nothing when it is deleted already. */
export const deleteImport = statement((given: Given<AssetId>) =>
  query.delete(assetImports).where(matches(assetImports, pick(given, "workspaceId", "assetId"))),
);

/** True while the import's workspace is neither suspended nor expired. Only then are requests sent to other servers. */
export const isWorkspaceActive = (nowMs: SQL | Parameters<typeof lte>[1]) =>
  sql`exists (select 1 from ${workspaces} where ${workspaces.workspaceId} = ${assetImports.workspaceId}
    and ${workspaces.suspendedAt} is null
    and (${workspaces.expiresAt} is null or ${workspaces.expiresAt} > ${nowMs}))`;

const isAssetOpen = sql`exists (select 1 from ${assets} where ${assets.assetId} = ${assetImports.assetId}
  and ${assets.status} = 'processing' and ${assets.deletedAt} is null)`;

const others = alias(assetImports, "others");

/** The workspace's other running attempts; expired leases do not count. */
const othersUnderWay = (given: Given<MessageAttempt>) =>
  sql`(select count(*) from ${assetImports} as ${others} where ${others.workspaceId} = ${assetImports.workspaceId}
    and ${others.leaseId} is not null and ${others.nextAttemptAt} > ${given.nowMs} + ${EARLY_MS_MAX}
    and ${others.assetId} <> ${given.id})`;

/** Maximum number of imports of a workspace that run at once. */
export const importsAtOnceMax = (workspaceId: SQLWrapper): SQL =>
  sql`iif(${wasEverPaid(workspaceId)} and exists (select 1 from ${workspaces}
      where ${workspaces.workspaceId} = ${workspaceId} and ${workspaces.kind} <> 'trial'),
    ${LIMITS.importsAtOncePerWorkspaceMax}, ${LIMITS.importsAtOnceUnpaidMax})`;

/** Starts an attempt at a claimable import, if the workspace has fewer running than its limit. */
export const claimImport = statement((given: Given<Claim>) =>
  query
    .update(assetImports)
    .set(importRows.claimed(given))
    .where(
      sql`${importRows.isClaimable(given)}
        and ${assetImports.expiresAt} > ${given.nowMs} and ${isAssetOpen} and ${isWorkspaceActive(given.nowMs)}
        and ${othersUnderWay(given)} < ${importsAtOnceMax(assetImports.workspaceId)}`,
    )
    .returning(pick(assetImports, "workspaceId", "assetId", "sealed", "attempts")),
);

/** Rejects the asset of an exhausted import; precedes `deleteExhausted` in its batch. */
export const rejectExhausted = statement((given: Given<MessageAttempt & Rejection>) =>
  query
    .update(assets)
    .set(rejected(given))
    .where(
      sql`${assets.assetId} = ${given.id} and ${assets.status} = 'processing'
        and exists (select 1 from ${assetImports} where ${isExhausted(given)})`,
    ),
);

export const deleteExhausted = statement((given: Given<MessageAttempt>) =>
  query.delete(assetImports).where(isExhausted(given)),
);

/**
 * Fails its batch with `import_held` unless the attempt holds its lease, the asset is processing and the workspace is
 * neither suspended nor expired.
 */
export const assertImportHeld = statement((given: Given<Lease & { nowMs: number }>) =>
  guard(
    "import_held",
    sql`exists (select 1 from ${assetImports}
      where ${isHeld(given)} and ${isAssetOpen} and ${isWorkspaceActive(given.nowMs)})`,
  ),
);

/**
 * Ends an attempt and schedules the next: by the same message, or by a new one when `dispatchedAt` is null. `failure`
 * is the reason as JSON; null keeps the previous one.
 */
export const releaseImport = statement(
  (
    given: Given<Lease & { nextAttemptAtMs: number; dispatchedAtMs: number | null; failure: string | null }>,
  ) =>
    query
      .update(assetImports)
      .set({
        leaseId: null,
        nextAttemptAt: given.nextAttemptAtMs,
        dispatchedAt: given.dispatchedAtMs,
        lastFailure: sql`coalesce(${given.failure}, ${assetImports.lastFailure})`,
      })
      .where(isHeld(given)),
);

const isAsset = (given: Given<AssetId>) => matches(assets, pick(given, "workspaceId", "assetId"));

const READ = ["objectKey", "mimeType", "byteLength", "sha256", "width", "height"] as const;
type ImportedFile = Readonly<Pick<typeof assets.$inferSelect, (typeof READ)[number]>>;

export const setImportReady = statement((given: Given<AssetId & ImportedFile & { nowMs: number }>) =>
  query
    .update(assets)
    .set({
      status: "ready",
      ...pick(given, ...READ),
      readyAt: given.nowMs,
    })
    .where(isAsset(given)),
);

/** Columns of a rejected asset. Its bytes, if any are stored, may be deleted from now on. */
const rejected = (given: Given<Rejection & { nowMs: number }>) => ({
  status: "rejected" as const,
  rejectionCode: given.code,
  rejectionMessage: given.message,
  byteLength: 0,
  purgeAfter: sql`coalesce(${assets.purgeAfter}, ${given.nowMs})`,
});

export const setImportRejected = statement((given: Given<AssetId & Rejection & { nowMs: number }>) =>
  query.update(assets).set(rejected(given)).where(isAsset(given)),
);

type Expired = { readonly nowMs: number; readonly limit: number };

/** Expired imports that are not running, longest expired first. */
const expiredImports = (given: Given<Expired>) =>
  sql`(select ${assetImports.assetId} from ${assetImports}
    where ${assetImports.expiresAt} <= ${given.nowMs}
      and (${assetImports.leaseId} is null or ${assetImports.nextAttemptAt} <= ${given.nowMs})
      and ${isNotMoving(assetImports.workspaceId)}
    order by ${assetImports.expiresAt}, ${assetImports.assetId} limit ${given.limit})`;

const rejectExpiredImports = statement((given: Given<Expired & Rejection>) =>
  query
    .update(assets)
    .set(rejected(given))
    .where(and(eq(assets.status, "processing"), inArray(assets.assetId, expiredImports(given)))),
);

const deleteExpiredImports = statement((given: Given<Expired>) =>
  query.delete(assetImports).where(inArray(assetImports.assetId, expiredImports(given))),
);

/** Rejects the assets of at most `limit` expired imports. Returns how many. */
export async function expireImports(db: D1Database, nowMs: number, limit: number): Promise<number> {
  const [, expired] = await db.batch([
    rejectExpiredImports.bind(db, { nowMs, limit, ...IMPORT_EXPIRED }),
    deleteExpiredImports.bind(db, { nowMs, limit }),
  ]);
  return expired?.meta.changes ?? 0;
}
