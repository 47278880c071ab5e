import { accept, type Outcome, type Refusal, refuse } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import type { CompleteUploadBody } from "../contract/schemas/upload.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { rememberStatements } from "../idempotency/store.ts";
import { sha256Hex } from "../platform/hashing.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { withLargeMemorySoon, withSmallMemorySoon } from "../platform/memory.ts";
import { readWhole } from "../platform/whole-body.ts";
import { isImageType, mayBeDear, type Renderer } from "../renderer/index.ts";
import type { Asset } from "./asset.ts";
import { judgeContent } from "./content-rules.ts";
import { keptRenditions } from "./kept-renditions.ts";
import { assetOf, assetStatement } from "./store.ts";
import { findClosedReason, type Upload, uploadNotFound } from "./upload.ts";
import { findUpload, readyStatements, rejectStatements } from "./upload-store.ts";

/** Each attempt verifies the bytes anew; only bytes that keep arriving meanwhile need more than one. */
const ATTEMPTS_MAX = 3;

/** From this size on, a file is verified when nothing else of the isolate needs much memory. */
const LARGE_FILE_BYTES_MIN = 4 * 1_048_576;

export interface CompleteUploadDeps {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
  /** Asked for only by a picture that takes long to read, and used while nothing else of the isolate uses it. */
  readonly getRenderer: () => Pick<Renderer, "keepRenditions">;
}

/**
 * Verifies the bytes of an upload and makes its asset ready, or rejects it for good. A picture that takes long to read is
 * then read once for all packs: three of them in one preview, or in a job of one credit, would cost seconds.
 * In this order: 404 UPLOAD_NOT_FOUND, 409 UPLOAD_ALREADY_COMPLETED, 404 ASSET_NOT_FOUND (an asset of another
 * upload), 422 ASSET_REJECTED, 409 UPLOAD_EXPIRED, 429 SERVICE_BUSY, 422 UPLOAD_MISMATCH (the bytes may be sent again),
 * 422 ASSET_REJECTED.
 * Throws when the claim's key was won by another request.
 */
export async function completeUpload(
  deps: CompleteUploadDeps,
  claim: IdempotencyClaim,
  uploadId: string,
  body: CompleteUploadBody,
): Promise<Outcome<Asset>> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const upload = await findUpload(deps.db, claim.workspaceId, uploadId);
    if (!upload) return uploadNotFound();
    if (isCompletedBy(upload, claim, body)) return accept(upload.asset);
    const refusal = findRefusal(upload, body, claim.nowMs);
    if (refusal) return refusal;

    const verify = (): Promise<Outcome<Asset> | "superseded"> => verifyBytes(deps, claim, upload);
    const isLarge = upload.asset.byteLength >= LARGE_FILE_BYTES_MIN || dearPictureOf(upload.asset) !== null;
    const settled = await (isLarge ? withLargeMemorySoon(verify) : withSmallMemorySoon(verify));
    if (settled !== "superseded") return settled;
  }
  return refuse("UPLOAD_MISMATCH", "The bytes were replaced while they were being verified; complete again.");
}

/** The same completion once more, after its Idempotency-Key was forgotten. */
const isCompletedBy = (upload: Upload, claim: IdempotencyClaim, body: CompleteUploadBody): boolean =>
  upload.status === "completed" &&
  upload.completedWithKey === claim.idempotencyKey &&
  upload.asset.assetId === body.assetId &&
  upload.asset.byteLength === body.byteLength;

function findRefusal(upload: Upload, body: CompleteUploadBody, nowMs: number): Refusal | null {
  const closed = findClosedReason(upload, nowMs);
  if (upload.status === "completed") return closed;
  if (upload.asset.assetId !== body.assetId) {
    return refuse("ASSET_NOT_FOUND", "The upload is not for the asset with this id.");
  }
  if (closed) return closed;
  if (upload.asset.byteLength === body.byteLength) return null;
  return refuse(
    "UPLOAD_MISMATCH",
    `byteLength is ${body.byteLength}; the intent says ${upload.asset.byteLength}.`,
    {
      expected: { byteLength: upload.asset.byteLength },
      nextAction: "Name the byteLength of the intent, or create a new intent for the file.",
      safeToRetryUnchanged: false,
    },
  );
}

/** The stored bytes when their length and type are those of the intent. */
async function readBytes(bucket: R2Bucket, asset: Asset): Promise<Outcome<Uint8Array>> {
  const stored = await bucket.get(asset.objectKey);
  if (!stored)
    return refuse("UPLOAD_MISMATCH", "No bytes have arrived; send them to the intent's url first.");
  if (stored.size !== asset.byteLength || stored.httpMetadata?.contentType !== asset.mimeType) {
    await stored.body.cancel();
    return refuse(
      "UPLOAD_MISMATCH",
      `The stored file has ${stored.size} bytes of \`${stored.httpMetadata?.contentType}\`; ` +
        `the intent says ${asset.byteLength} of \`${asset.mimeType}\`.`,
      { expected: { byteLength: asset.byteLength, mimeType: asset.mimeType } },
    );
  }
  return accept(await readWhole(stored.body, stored.size));
}

/** Reads and settles the bytes that the upload has now. */
async function verifyBytes(
  deps: CompleteUploadDeps,
  claim: IdempotencyClaim,
  upload: Upload,
): Promise<Outcome<Asset> | "superseded"> {
  const bytes = await readBytes(deps.bucket, upload.asset);
  if (!bytes.ok) return asLongAsUnchanged(deps.db, upload, bytes);
  const settled = await settle(deps.db, claim, upload, bytes.value);
  if (settled !== "superseded" && settled.ok) await keepDearRenditions(deps, settled.value, bytes.value);
  return settled;
}

/** Slot, type and size of a picture that may take long to read, as far as its declared or verified size tells; else null. */
function dearPictureOf({ slotId, mimeType, width, height }: Asset) {
  if (slotId === "font" || !isImageType(mimeType) || width === null || height === null) return null;
  return mayBeDear(mimeType, { width, height }) ? { slotId, mimeType, source: { width, height } } : null;
}

/**
 * Keeps what packs will ask of a picture that takes long to read. Comes after the asset is ready, so that it happens once;
 * where it fails or is cut off, the first pack reads the picture and keeps the same bytes.
 */
async function keepDearRenditions(
  { bucket, getRenderer }: CompleteUploadDeps,
  asset: Asset,
  bytes: Uint8Array,
): Promise<void> {
  const picture = dearPictureOf(asset);
  if (picture === null || asset.sha256 === null) return;
  const { slotId, mimeType, source } = picture;
  const store = keptRenditions(bucket, { objectKey: asset.objectKey, sha256: asset.sha256 });
  try {
    await getRenderer().keepRenditions(slotId, { bytes, mimeType }, source, store);
  } catch (thrown) {
    log.failure({
      event: "rendition_not_kept",
      workspaceId: asset.workspaceId,
      errorName: errorNameOf(thrown),
    });
  }
}

/** A refusal stands only while the upload has the bytes it is about. */
async function asLongAsUnchanged(
  db: D1Database,
  upload: Upload,
  refusal: Refusal,
): Promise<Refusal | "superseded"> {
  return (await isUnchanged(db, upload)) ? refusal : "superseded";
}

/** Judges the bytes and writes the verdict in one batch, unless the upload has moved on meanwhile. */
async function settle(
  db: D1Database,
  claim: IdempotencyClaim,
  upload: Upload,
  bytes: Uint8Array,
): Promise<Outcome<Asset> | "superseded"> {
  const { workspaceId, nowMs } = claim;
  const { assetId } = upload.asset;
  const judged = judgeContent(upload.asset, bytes);
  if (!judged.ok && judged.thrown !== undefined) {
    log.failure({ event: "inspection_failed", workspaceId, errorName: errorNameOf(judged.thrown) });
  }
  const statements = judged.ok
    ? [
        ...readyStatements(
          db,
          upload,
          { sha256: await sha256Hex(bytes), width: judged.width, height: judged.height },
          claim.idempotencyKey,
          nowMs,
        ),
        ...rememberStatements(db, claim, assetId, LIMITS.idempotencyRetentionMs),
      ]
    : rejectStatements(db, upload, judged.rejection, nowMs);
  let written: Asset | null;
  try {
    const results = await db.batch([...statements, assetStatement(db, workspaceId, assetId)]);
    written = assetOf(results.at(-1));
  } catch (thrown) {
    // Lost to other bytes or another completion; what it is now decides anew. Anything else is a failure.
    if (await isUnchanged(db, upload)) throw thrown;
    return "superseded";
  }
  if (!judged.ok) {
    return refuse("ASSET_REJECTED", judged.rejection.message, { rejection: judged.rejection });
  }
  return written === null ? uploadNotFound() : accept(written);
}

async function isUnchanged(db: D1Database, upload: Upload): Promise<boolean> {
  const current = await findUpload(db, upload.workspaceId, upload.uploadId);
  return (
    current !== null &&
    current.status === upload.status &&
    current.asset.objectKey === upload.asset.objectKey &&
    current.asset.deletedAt === upload.asset.deletedAt
  );
}
