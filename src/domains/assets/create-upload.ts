import { accept, type Outcome } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { CreateUploadBody } from "#api/schemas/upload.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import { newId } from "#platform/ids.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { rememberStatements } from "../idempotency/store.ts";
import { objectPrefixOf } from "./asset.ts";
import { assetLimitReached } from "./asset-limit.ts";
import { validateIntent } from "./intent-rules.ts";
import { assertAssetLimit, insertAsset, insertUpload, uploadById } from "./store.ts";
import { findUpload, type Upload, uploadNotFound } from "./upload.ts";

/**
 * Creates a `processing` asset and the upload for its bytes. 400 UPLOAD_INTENT_INVALID, 409 ASSET_LIMIT_REACHED. Throws
 * when another request used the Idempotency-Key first.
 */
export async function createUpload(
  db: D1Database,
  claim: IdempotencyClaim,
  workspaceKind: "standard" | "trial",
  body: CreateUploadBody,
): Promise<Outcome<Upload>> {
  const intent = validateIntent(body);
  if (!intent.ok) return intent;
  const { workspaceId, nowMs } = claim;
  const uploadId = newId();
  const assetId = newId();
  try {
    const results = await db.batch([
      // Precedes the check of the limit, so that an identical concurrent request fails on this row and not at the limit
      // that this request reached.
      ...rememberStatements(db, claim, uploadId, LIMITS.idempotencyRetentionMs),
      assertAssetLimit.bind(db, { workspaceId, workspaceKind, byteLength: intent.value.byteLength }),
      insertAsset.bind(db, {
        workspaceId,
        assetId,
        ...intent.value,
        importedFrom: null,
        // Nothing is ever stored under the bare prefix; the first transfer of bytes sets a real key.
        objectKey: objectPrefixOf(workspaceId, assetId),
        nowMs,
      }),
      insertUpload.bind(db, {
        workspaceId,
        assetId,
        uploadId,
        nowMs,
        expiresAt: nowMs + LIMITS.uploadIntentLifetimeMs,
      }),
      uploadById.bind(db, { workspaceId, uploadId }),
    ]);
    const upload = uploadById.row(results.at(-1));
    return upload === null ? uploadNotFound() : accept(upload);
  } catch (thrown) {
    if (isGuardViolation(thrown, "asset_limit")) return assetLimitReached(workspaceKind);
    throw thrown;
  }
}

/** The upload of an earlier request; 404 when there is none. */
export async function readUpload(
  db: D1Database,
  workspaceId: string,
  uploadId: string,
): Promise<Outcome<Upload>> {
  const upload = await findUpload(db, workspaceId, uploadId);
  return upload ? accept(upload) : uploadNotFound();
}
