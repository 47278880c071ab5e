import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import { sha256Hex } from "../platform/hashing.ts";
import { discard, readLimited } from "../platform/outbound.ts";
import { attemptFailed } from "./delivery.ts";
import { askStore, errorCodeOf, refusalOf, type Store } from "./s3-client.ts";
import type { Sent } from "./store-checksums.ts";
import { hexToBase64 } from "./verify-object.ts";

/** S3's multipart upload: begun, sent part by part, put together. */

/** A file in parts, all of one length but the last, as R2 wants them. */
export interface FileParts {
  readonly contentType: string;
  readonly count: number;
  /** A part by its index, with the hash of its body in lower-case hex. May be called anew. */
  readonly read: (index: number) => Promise<{ readonly sha256: string; readonly body: ReadableStream }>;
}

/** Remembers the upload in parts that has begun, so that it can be ended by whoever comes after a crash. */
export type NoteUpload = (uploadId: string) => Promise<void>;

interface Part {
  readonly number: number;
  readonly etag: string;
  readonly sha256: string;
}

/** One upload of an object: its id in the store, and whether every request of it carries checksums. */
interface Upload {
  readonly store: Store;
  readonly key: string;
  readonly uploadId: string;
  readonly withChecksums: boolean;
}

/** Lets the store forget parts that lead nowhere. Best effort: what it keeps, a rule of the bucket removes. */
export async function abortUpload(store: Store, key: string, uploadId: string): Promise<void> {
  await askStore(store, { method: "DELETE", key, query: { uploadId } });
}

/**
 * Uploads an object in parts. Gives the checksum that S3 states for it, or null when it was sent without. A failure
 * ends the upload in the store as well.
 */
export async function uploadParts(
  store: Store,
  key: string,
  parts: FileParts,
  withChecksums: boolean,
  noteUpload: NoteUpload,
): Promise<Sent<string | null>> {
  const begun = await askStore(store, {
    method: "POST",
    key,
    query: { uploads: "" },
    headers: {
      "Content-Type": parts.contentType,
      ...(withChecksums ? { "x-amz-checksum-algorithm": "SHA256" } : {}),
    },
  });
  if (begun.kind === "failed") return begun;
  const answer = await readLimited(begun.response, DELIVERY_LIMITS.answerBytesMax).catch(() => "");
  const uploadId = /<UploadId>([\w.~+/=:-]{1,1024})<\/UploadId>/.exec(answer)?.[1];
  if (uploadId === undefined)
    return attemptFailed("STORE_UNAVAILABLE", "The store began an upload without an id.");
  await noteUpload(uploadId);
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
  const put = await askStore(store, {
    method: "PUT",
    key,
    query: { partNumber: String(number), uploadId },
    body,
    bodySha256: sha256,
    headers: withChecksums ? { "x-amz-checksum-sha256": hexToBase64(sha256) } : {},
  });
  if (put.kind === "failed") return put;
  await discard(put.response);
  // MD5 in hex at most stores; R2 has longer names of its own.
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
  const completed = await askStore(store, {
    method: "POST",
    key,
    query: { uploadId },
    body,
    bodySha256: await sha256Hex(body),
    headers: { "Content-Type": "application/xml" },
  });
  if (completed.kind === "failed") return completed;
  // S3 answers 200 before it has put the parts together, and may then say in the body that it could not.
  const text = await readLimited(completed.response, DELIVERY_LIMITS.answerBytesMax).catch(() => null);
  if (text === null) return attemptFailed("STORE_UNAVAILABLE", "The store broke its answer off.");
  if (/<Error[\s>]/.test(text)) {
    return refusalOf(new Response(null, { status: 503 }), errorCodeOf(text), 0);
  }
  return { kind: "sent", value: withChecksums ? await compositeChecksumOf(parts) : null };
}

/** The parts' digests one after another, hashed: what S3 states for an object in parts. */
async function compositeChecksumOf(parts: readonly Part[]): Promise<string> {
  const digests = parts.flatMap(({ sha256 }) =>
    (sha256.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)),
  );
  return `${hexToBase64(await sha256Hex(new Uint8Array(digests)))}-${parts.length}`;
}
