import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import { discard, readLimited } from "#platform/outbound/http-client.ts";
import { attemptFailed } from "../delivery.ts";
import type { Sent } from "./s3-checksums.ts";
import { errorCodeOf, requestS3, type S3Store, s3FailureOf } from "./s3-client.ts";
import { hexToBase64 } from "./verify-object.ts";

/** S3's multipart upload: CreateMultipartUpload, UploadPart, CompleteMultipartUpload, AbortMultipartUpload. */

/** The parts of a file; all but the last have the same length, as R2 requires. */
export interface FileParts {
  readonly contentType: string;
  readonly count: number;
  /** A part by its index, with the SHA-256 of its body in lower-case hex. May be called several times per part. */
  readonly read: (index: number) => Promise<{ readonly sha256: string; readonly body: ReadableStream }>;
}

/** Stores the id of an upload, so that the next attempt can abort it after a crash. */
export type OnUploadCreated = (uploadId: string) => Promise<void>;

interface Part {
  readonly number: number;
  readonly etag: string;
  readonly sha256: string;
}

/** A multipart upload. Either all of its requests have checksums, or none. */
interface Upload {
  readonly store: S3Store;
  readonly key: string;
  readonly uploadId: string;
  readonly withChecksums: boolean;
}

/** Aborts an upload. Best effort: a lifecycle rule of the bucket deletes remaining parts. */
export async function abortUpload(store: S3Store, key: string, uploadId: string): Promise<void> {
  await requestS3(store, { method: "DELETE", key, query: { uploadId } });
}

/**
 * Uploads an object in parts. Returns its composite checksum as S3 returns it, or null when the parts were sent without
 * checksums. A failure aborts the upload.
 */
export async function uploadMultipart(
  store: S3Store,
  key: string,
  parts: FileParts,
  withChecksums: boolean,
  onUploadCreated: OnUploadCreated,
): Promise<Sent<string | null>> {
  const created = await requestS3(store, {
    method: "POST",
    key,
    query: { uploads: "" },
    headers: {
      "Content-Type": parts.contentType,
      ...(withChecksums ? { "x-amz-checksum-algorithm": "SHA256" } : {}),
    },
  });
  if (created.kind === "failed") return created;
  const text = await readLimited(created.response, DELIVERY_LIMITS.answerBytesMax).catch(() => "");
  const uploadId = /<UploadId>([\w.~+/=:-]{1,1024})<\/UploadId>/.exec(text)?.[1];
  if (uploadId === undefined)
    return attemptFailed("STORE_UNAVAILABLE", "The store began an upload without an id.");
  await onUploadCreated(uploadId);
  const sent = await sendParts({ store, key, uploadId, withChecksums }, parts);
  if (sent.kind === "failed") await abortUpload(store, key, uploadId);
  return sent;
}

async function sendParts(upload: Upload, parts: FileParts): Promise<Sent<string | null>> {
  const sent: Part[] = [];
  for (let index = 0; index < parts.count; index += 1) {
    const part = await sendPart(upload, index + 1, await parts.read(index));
    if (part.kind === "failed") return part;
    sent.push(part.value);
  }
  return complete(upload, sent);
}

async function sendPart(
  { store, key, uploadId, withChecksums }: Upload,
  number: number,
  { sha256, body }: { readonly sha256: string; readonly body: ReadableStream },
): Promise<Sent<Part>> {
  const put = await requestS3(store, {
    method: "PUT",
    key,
    query: { partNumber: String(number), uploadId },
    body,
    bodySha256: sha256,
    headers: withChecksums ? { "x-amz-checksum-sha256": hexToBase64(sha256) } : {},
  });
  if (put.kind === "failed") return put;
  discard(put.response);
  // In most stores an ETag is the MD5 in hex; R2's are longer.
  const etag = put.response.headers.get("ETag") ?? "";
  if (!/^"?[A-Za-z0-9+/=_.-]{1,1024}"?$/.test(etag)) {
    return attemptFailed("STORE_UNAVAILABLE", "The store took a part without naming it.");
  }
  return { kind: "sent", value: { number, etag: etag.replaceAll('"', "&quot;"), sha256 } };
}

async function complete(
  { store, key, uploadId, withChecksums }: Upload,
  parts: readonly Part[],
): Promise<Sent<string | null>> {
  const listed = parts.map(({ number, etag, sha256 }) => {
    const checksum = withChecksums ? `<ChecksumSHA256>${hexToBase64(sha256)}</ChecksumSHA256>` : "";
    return `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag>${checksum}</Part>`;
  });
  const body = new TextEncoder().encode(
    `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${listed.join("")}</CompleteMultipartUpload>`,
  );
  const completed = await requestS3(store, {
    method: "POST",
    key,
    query: { uploadId },
    body,
    bodySha256: await sha256Hex(body),
    headers: { "Content-Type": "application/xml" },
  });
  if (completed.kind === "failed") return completed;
  // S3 responds 200 before it has assembled the parts, and reports a failure in the body.
  const text = await readLimited(completed.response, DELIVERY_LIMITS.answerBytesMax).catch(() => null);
  if (text === null) return attemptFailed("STORE_UNAVAILABLE", "The store broke its answer off.");
  if (/<Error[\s>]/.test(text)) {
    return s3FailureOf(new Response(null, { status: 503 }), errorCodeOf(text), 0);
  }
  return { kind: "sent", value: withChecksums ? await compositeChecksumOf(parts) : null };
}

/** The SHA-256 of the parts' SHA-256: S3's checksum of type COMPOSITE. */
async function compositeChecksumOf(parts: readonly Part[]): Promise<string> {
  const digests = parts.flatMap(({ sha256 }) =>
    (sha256.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)),
  );
  return `${hexToBase64(await sha256Hex(new Uint8Array(digests)))}-${parts.length}`;
}
