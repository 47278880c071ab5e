import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { CompleteUploadBody } from "#api/schemas/upload.ts";
import { readAll } from "#platform/bytes/read-all.ts";
import { withLargeMemorySoon, withSmallMemorySoon } from "#platform/concurrency/memory.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { isGuardViolation } from "#platform/db/batch-guard.ts";
import type { Reader } from "#platform/db/reader.ts";
import { log } from "#platform/log/log.ts";
import { freeBytes } from "#renderer/buffers.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { rememberStatements } from "../idempotency/store.ts";
import { assertKeyActive } from "../keys/store.ts";
import type { Asset } from "./asset.ts";
import { validateDrawn } from "./content-rules.ts";
import { cacheRenditions, type RenditionDeps, slowPictureOf } from "./slow-pictures.ts";
import { assertUploadUnchanged, assetById, closeUpload, setAssetReady, setAssetRejected } from "./store.ts";
import { findClosedReason, findUpload, type Upload, uploadNotFound } from "./upload.ts";

/** Maximum number of verifications. A second one is needed only if the bytes are replaced during the first. */
const ATTEMPTS_MAX = 3;

/**
 * Minimum size of a file that is verified only while no other task of the isolate needs much memory. An open font needs
 * three times its file size in memory.
 */
const LARGE_FILE_BYTES_MIN = 3 * 1_048_576;

export interface CompleteUploadDeps extends RenditionDeps {
  readonly db: D1Database;
  /** The session that writes the completion; the response carries its bookmark. */
  readonly writes: Reader;
}

/**
 * Verifies an upload's bytes and makes its asset ready, or rejects it for good. Then decodes a picture that takes long
 * to decode and caches its renditions for all packs; otherwise three such pictures in one preview would take seconds.
 * Refuses in this order: 404 UPLOAD_NOT_FOUND, 409 UPLOAD_ALREADY_COMPLETED, 404 ASSET_NOT_FOUND (an asset of another
 * upload), 422 ASSET_REJECTED, 409 UPLOAD_EXPIRED, 429 SERVICE_BUSY, 422 UPLOAD_MISMATCH (the bytes may be sent again),
 * 422 ASSET_REJECTED. `asRead` is the upload that the caller has just read. Throws when another request used the
 * Idempotency-Key first.
 */
export async function completeUpload(
  deps: CompleteUploadDeps,
  claim: IdempotencyClaim,
  uploadId: string,
  body: CompleteUploadBody,
  asRead: Upload | null,
): Promise<Outcome<Asset>> {
  let upload = asRead;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    if (attempt > 1) upload = await findUpload(deps.db, claim.workspaceId, uploadId);
    if (!upload) return uploadNotFound();
    if (isCompletedBy(upload, claim, body)) return accept(upload.asset);
    const refusal = findRefusal(upload, body, claim.nowMs);
    if (refusal) return refusal;

    const present = upload;
    const verify = (): Promise<Outcome<Asset> | "superseded"> => verifyBytes(deps, claim, present);
    // A logo is drawn by the shared renderer; a font is set in a separate instance.
    const { byteLength, slotId } = upload.asset;
    const usesRenderer = slotId === "logo" || slowPictureOf(upload.asset) !== null;
    const isLarge = byteLength >= LARGE_FILE_BYTES_MIN || usesRenderer;
    const settled = await (isLarge ? withLargeMemorySoon(verify) : withSmallMemorySoon(verify));
    if (settled !== "superseded") return settled;
  }
  return refuse("UPLOAD_MISMATCH", "The bytes were replaced while they were being verified; complete again.");
}

/** True for a repeated completion, which is recognized even after its Idempotency-Key's row was deleted. */
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

/** The stored bytes, if their length and type match the intent. */
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
  return accept(await readAll(stored.body, stored.size));
}

async function verifyBytes(
  deps: CompleteUploadDeps,
  claim: IdempotencyClaim,
  upload: Upload,
): Promise<Outcome<Asset> | "superseded"> {
  const bytes = await readBytes(deps.bucket, upload.asset);
  // A refusal applies only while the upload still has these bytes.
  if (!bytes.ok) return (await isUnchanged(deps.db, upload)) ? bytes : "superseded";
  try {
    const settled = await settle(deps, claim, upload, bytes.value);
    if (settled !== "superseded" && settled.ok) await cacheRenditions(deps, settled.value, bytes.value);
    return settled;
  } finally {
    freeBytes(bytes.value);
  }
}

/** Validates the bytes and writes the result in one batch, unless the upload changed meanwhile. */
async function settle(
  { db, writes: session, getRenderer }: CompleteUploadDeps,
  claim: IdempotencyClaim,
  upload: Upload,
  bytes: Uint8Array,
): Promise<Outcome<Asset> | "superseded"> {
  const { workspaceId, idempotencyKey, nowMs } = claim;
  const { uploadId } = upload;
  const { assetId, objectKey } = upload.asset;
  const content = await validateDrawn(getRenderer, upload.asset, bytes);
  if (!content.ok && content.thrown !== undefined) {
    log.failure({ event: "inspection_failed", workspaceId, assetId }, content.thrown);
  }
  const closed = { workspaceId, uploadId, nowMs };
  const asset = { workspaceId, assetId };
  const writes = content.ok
    ? [
        closeUpload.bind(db, { ...closed, status: "completed", completedWithKey: idempotencyKey }),
        setAssetReady.bind(db, {
          ...asset,
          sha256: await sha256Hex(bytes),
          width: content.width,
          height: content.height,
          nowMs,
        }),
        ...rememberStatements(db, claim, assetId, LIMITS.idempotencyRetentionMs),
      ]
    : [
        closeUpload.bind(db, { ...closed, status: "rejected", completedWithKey: null }),
        setAssetRejected.bind(db, { ...asset, ...content.rejection, nowMs }),
        ...(claim.apiKeyId === null
          ? []
          : [assertKeyActive.bind(db, { workspaceId, apiKeyId: claim.apiKeyId })]),
      ];
  let written: Asset | null;
  try {
    const results = await session.batch([
      assertUploadUnchanged.bind(db, { workspaceId, uploadId, objectKey }),
      ...writes,
      assetById.bind(db, asset),
    ]);
    written = assetById.row(results.at(-1));
  } catch (thrown) {
    // The bytes were replaced, another completion was first, or the batch's response was lost: decide from the upload's
    // current state.
    if (isGuardViolation(thrown, "upload_unchanged") || !(await isUnchanged(db, upload))) return "superseded";
    throw thrown;
  }
  if (!content.ok) {
    const { rejection, excess } = content;
    return refuse("ASSET_REJECTED", rejection.message, { rejection, ...excess });
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
