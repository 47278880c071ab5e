import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { UPLOAD_CONTENT_TYPES } from "#api/schemas/upload.ts";
import { type ChunkReader, readChunks } from "#platform/bytes/chunk-reader.ts";
import { latest } from "#platform/db/reader.ts";
import { newId } from "#platform/ids.ts";
import { keyRevoked } from "../keys/service.ts";
import { keyStatus } from "../keys/store.ts";
import { objectPrefixOf } from "./asset.ts";
import { objectKeyOfAsset, setObjectKey } from "./store.ts";
import { findClosedReason, findUpload, type Upload, uploadNotFound } from "./upload.ts";

/** Bytes sent to an upload. */
export interface IncomingBytes {
  readonly workspaceId: string;
  /** The sending API key. */
  readonly apiKeyId: string;
  readonly uploadId: string;
  readonly contentType: string | null;
  /** Declared length; null for a chunked body. */
  readonly contentLength: number | null;
  readonly body: ReadableStream<Uint8Array> | null;
  /** Called with the upload's asset, also when the bytes are then refused. */
  readonly onFound?: (asset: { readonly assetId: string }) => void;
}

/** RFC 9110 §8.3: no particular type, which HTTP clients send by default. The intent declared the type. */
const GENERIC_TYPE = "application/octet-stream";

/** The media type without parameters, in lower case. */
const essenceOf = (contentType: string | null): string =>
  (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

const tooLarge = (bytesMax: number): Refusal =>
  refuse("PAYLOAD_TOO_LARGE", `The body is larger than ${bytesMax} bytes.`, { maxBytes: bytesMax });

const tooShort = (byteLength: number): Refusal =>
  refuse("UPLOAD_MISMATCH", `The body has fewer bytes than the ${byteLength} of the intent.`, {
    expected: { byteLength },
  });

/** The refusal that the headers alone justify, or null. */
function findHeaderProblem(incoming: IncomingBytes, upload: Upload): Refusal | null {
  const { byteLength, mimeType } = upload.asset;
  const { contentLength } = incoming;
  if (contentLength !== null && contentLength > byteLength) return tooLarge(byteLength);
  const essence = essenceOf(incoming.contentType);
  if (essence !== mimeType && essence !== GENERIC_TYPE) {
    return refuse(
      "UPLOAD_MISMATCH",
      `The Content-Type is ${essence === "" ? "missing" : `\`${essence.slice(0, 100)}\``}; the intent says \`${mimeType}\`.`,
      { expected: { byteLength, mimeType }, safeToRetryUnchanged: false },
    );
  }
  return contentLength !== null && contentLength < byteLength ? tooShort(byteLength) : null;
}

/**
 * Stores the bytes of a pending upload, replacing earlier ones. Any key of the workspace may send them, so a key may be
 * rotated in between; a key revoked meanwhile gets 401 KEY_REVOKED. 404 UPLOAD_NOT_FOUND, 409 UPLOAD_ALREADY_COMPLETED
 * and UPLOAD_EXPIRED, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 422 UPLOAD_MISMATCH (nothing was stored; the
 * bytes may be sent again) and ASSET_REJECTED.
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
  incoming.onFound?.(upload.asset);
  const refusal = findClosedReason(upload, nowMs) ?? findHeaderProblem(incoming, upload);
  if (refusal) return refusal;

  const { assetId, byteLength, mimeType } = upload.asset;
  const objectKey = `${objectPrefixOf(workspaceId, assetId)}/${newId()}`;
  const end = await storeExactly(bucket, objectKey, incoming.body, byteLength, mimeType);
  if (end === "too-many") return tooLarge(byteLength);
  if (end === "too-few") return tooShort(byteLength);

  // A write that throws here may still have been committed, so the bytes stay; they are deleted with the asset's other
  // bytes.
  const asset = { workspaceId, assetId };
  const [before, update] = await db.batch([
    objectKeyOfAsset.bind(db, asset),
    setObjectKey.bind(db, { ...asset, uploadId, objectKey, apiKeyId, nowMs }),
  ]);
  const isTaken = (update?.meta.changes ?? 0) > 0;
  const unusedKey = isTaken ? objectKeyOfAsset.row(before)?.objectKey : objectKey;
  // Unused bytes that cannot be deleted now are deleted with the asset's other bytes.
  if (unusedKey !== undefined) await bucket.delete(unusedKey).catch(() => undefined);
  if (isTaken) return accept(undefined);
  const key = await keyStatus.first(latest(db), { workspaceId, apiKeyId });
  if (key?.isActive !== true) return keyRevoked();
  const current = await findUpload(db, workspaceId, uploadId);
  return (current && findClosedReason(current, nowMs)) ?? uploadNotFound();
}

/** The length of a body, compared with the promised length. */
type BodyEnd = "exact" | "too-few" | "too-many";

/**
 * Streams a body into the bucket, which stores it only if it has exactly `byteLength` bytes. Buffers one chunk at a
 * time. Throws when the bucket fails.
 */
async function storeExactly(
  bucket: R2Bucket,
  objectKey: string,
  body: ReadableStream<Uint8Array> | null,
  byteLength: number,
  contentType: string,
): Promise<BodyEnd> {
  if (body === null) return "too-few";
  const { readable, writable } = new FixedLengthStream(byteLength);
  const writer = writable.getWriter();
  const [end, stored] = await Promise.allSettled([
    pump(readChunks(body), writer, byteLength),
    bucket.put(objectKey, readable, { httpMetadata: { contentType } }).catch(async (thrown: unknown) => {
      // Without this, the pump would wait forever for its bytes to be read.
      await writer.abort(thrown).catch(() => undefined);
      throw thrown;
    }),
  ]);
  if (end.status === "fulfilled" && end.value !== "exact") return end.value;
  if (stored.status === "rejected") throw stored.reason;
  if (end.status === "rejected") throw end.reason;
  return "exact";
}

/** Copies the body, and aborts the writer as soon as the length cannot match. */
async function pump(
  chunks: ChunkReader,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  byteLength: number,
): Promise<BodyEnd> {
  const breakOff = async (end: BodyEnd): Promise<BodyEnd> => {
    await Promise.allSettled([chunks.cancel(), writer.abort(new Error(end))]);
    return end;
  };
  let receivedBytes = 0;
  for (;;) {
    // A client that disconnects shows as an error here: fewer bytes than promised.
    const chunk = await chunks.read().catch((): BodyEnd => "too-few");
    if (typeof chunk === "string") return breakOff(chunk);
    if (chunk === null) break;
    receivedBytes += chunk.byteLength;
    if (receivedBytes > byteLength) return breakOff("too-many");
    await writer.write(chunk);
  }
  if (receivedBytes < byteLength) return breakOff("too-few");
  await writer.close();
  return "exact";
}
