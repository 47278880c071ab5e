import { accept, type Outcome, type Refusal, refuse } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import { UPLOAD_CONTENT_TYPES } from "../contract/schemas/upload.ts";
import { latest } from "../db/reader.ts";
import { keyRevoked } from "../keys/service.ts";
import { keyStanding } from "../keys/store.ts";
import { newId } from "../platform/ids.ts";
import { objectPrefixOf } from "./asset.ts";
import { storeExactly } from "./exact-bytes.ts";
import { findClosedReason, type Upload, uploadNotFound } from "./upload.ts";
import { adoptBytes, findUpload } from "./upload-store.ts";

/** Bytes on their way to an upload. */
export interface IncomingBytes {
  readonly workspaceId: string;
  /** The API key that sends them. */
  readonly apiKeyId: string;
  readonly uploadId: string;
  readonly contentType: string | null;
  /** As declared; null when the body is sent in chunks. */
  readonly contentLength: number | null;
  readonly body: ReadableStream<Uint8Array> | null;
}

/** RFC 9110 §8.3: bytes of no stated kind, as HTTP clients send them by default. The intent has stated it. */
const AS_THE_INTENT_SAYS = "application/octet-stream";

/** The type without parameters, lower case. */
const essenceOf = (contentType: string | null): string =>
  (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

const tooLarge = (bytesMax: number): Refusal =>
  refuse("PAYLOAD_TOO_LARGE", `The body is larger than ${bytesMax} bytes.`, { maxBytes: bytesMax });

const tooShort = (byteLength: number): Refusal =>
  refuse("UPLOAD_MISMATCH", `The body has fewer bytes than the ${byteLength} of the intent.`, {
    expected: { byteLength },
  });

/** What the headers alone already settle, or null. */
function findHeaderProblem(incoming: IncomingBytes, upload: Upload): Refusal | null {
  const { byteLength, mimeType } = upload.asset;
  const { contentLength } = incoming;
  if (contentLength !== null && contentLength > byteLength) return tooLarge(byteLength);
  const essence = essenceOf(incoming.contentType);
  if (essence !== mimeType && essence !== AS_THE_INTENT_SAYS) {
    return refuse(
      "UPLOAD_MISMATCH",
      `The Content-Type is ${essence === "" ? "missing" : `\`${essence.slice(0, 100)}\``}; the intent says \`${mimeType}\`.`,
      { expected: { byteLength, mimeType }, safeToRetryUnchanged: false },
    );
  }
  return contentLength !== null && contentLength < byteLength ? tooShort(byteLength) : null;
}

/**
 * Stores the bytes of a pending upload; bytes that come again replace the earlier ones. The key of any
 * caller in the workspace will do, so a key may be rotated between intent and bytes.
 * Takes none for a key that was revoked while they came: 401 KEY_REVOKED.
 * 404 UPLOAD_NOT_FOUND, 409 UPLOAD_ALREADY_COMPLETED and UPLOAD_EXPIRED, 413 PAYLOAD_TOO_LARGE,
 * 415 UNSUPPORTED_MEDIA_TYPE, 422 UPLOAD_MISMATCH (nothing was kept, the bytes may be sent again) and ASSET_REJECTED.
 */
export async function receiveBytes(
  db: D1Database,
  bucket: R2Bucket,
  incoming: IncomingBytes,
  nowMs: number,
): Promise<Outcome<void>> {
  const { workspaceId, apiKeyId, uploadId, contentLength } = incoming;
  if (contentLength !== null && contentLength > LIMITS.uploadBytesMax) return tooLarge(LIMITS.uploadBytesMax);
  const essence = essenceOf(incoming.contentType);
  if (essence !== "" && !UPLOAD_CONTENT_TYPES.some((known) => known === essence)) {
    return refuse("UNSUPPORTED_MEDIA_TYPE", `The body must be one of ${UPLOAD_CONTENT_TYPES.join(", ")}.`);
  }
  const upload = await findUpload(db, workspaceId, uploadId);
  if (!upload) return uploadNotFound();
  const refusal = findClosedReason(upload, nowMs) ?? findHeaderProblem(incoming, upload);
  if (refusal) return refusal;

  const { assetId, byteLength, mimeType } = upload.asset;
  const objectKey = `${objectPrefixOf(workspaceId, assetId)}/${newId()}`;
  const end = await storeExactly(bucket, objectKey, incoming.body, byteLength, mimeType);
  if (end === "too-many") return tooLarge(byteLength);
  if (end === "too-few") return tooShort(byteLength);

  // A write that fails here may yet have happened, so the bytes stay; the asset's purge takes its whole prefix.
  const adopted = await adoptBytes(db, upload, objectKey, apiKeyId, nowMs);
  await forget(bucket, adopted ? adopted.replacedKey : objectKey);
  if (adopted) return accept(undefined);
  const key = await keyStanding.first(latest(db), { workspaceId, apiKeyId });
  if (key?.isActive !== true) return keyRevoked();
  const current = await findUpload(db, workspaceId, uploadId);
  return (current && findClosedReason(current, nowMs)) ?? uploadNotFound();
}

/** Removes bytes that no asset names; what fails here goes with the asset's purge. */
const forget = (bucket: R2Bucket, objectKey: string): Promise<void> =>
  bucket.delete(objectKey).catch(() => undefined);
