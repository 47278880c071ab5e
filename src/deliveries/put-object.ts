import type { VerifiedFile } from "../artifacts/stored-file.ts";
import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import { sha256Hex, sha256HexOfStream } from "../platform/hashing.ts";
import { discard } from "../platform/outbound.ts";
import type { AttemptFailure } from "./delivery.ts";
import { askStore, type Store } from "./s3-client.ts";
import { sendEitherWay } from "./store-checksums.ts";
import { type FileParts, type NoteUpload, uploadParts } from "./upload-parts.ts";
import { hexToBase64, verifyObject } from "./verify-object.ts";

/** How an object is put: whole, or in parts. Gives null when it lies in the store, checked. */
export type PutResult = AttemptFailure | null;

/** A stored file whose bytes were read whole and found true; it is streamed, never held. */
export interface FileSource {
  readonly bucket: R2Bucket;
  readonly verified: VerifiedFile;
}

/** An object to be put in one request, which may have to be made twice. */
interface WholeObject {
  readonly key: string;
  readonly byteLength: number;
  readonly sha256: string;
  readonly contentType: string;
  readonly open: () => Promise<ReadableStream | Uint8Array>;
}

async function putWhole(store: Store, object: WholeObject): Promise<PutResult> {
  const { key, byteLength, sha256, contentType } = object;
  const checksum = hexToBase64(sha256);
  const put = await sendEitherWay<readonly string[]>(store.checksums, "put", async (withChecksums) => {
    const answer = await askStore(store, {
      method: "PUT",
      key,
      body: await object.open(),
      bodySha256: sha256,
      headers: {
        "Content-Type": contentType,
        ...(withChecksums ? { "x-amz-checksum-sha256": checksum } : {}),
      },
    });
    if (answer.kind === "failed") return answer;
    await discard(answer.response);
    return { kind: "sent", value: withChecksums ? [checksum] : [] };
  });
  if (put.kind === "failed") return put;
  return verifyObject(store, { key, byteLength, sha256, checksums: put.value });
}

/** Bytes that are at hand. */
export async function putBytes(
  store: Store,
  key: string,
  bytes: Uint8Array,
  contentType: string,
): Promise<PutResult> {
  return putWhole(store, {
    key,
    byteLength: bytes.byteLength,
    sha256: await sha256Hex(bytes),
    contentType,
    open: async () => bytes,
  });
}

interface Range {
  readonly offset: number;
  readonly length: number;
}

/** The verified bytes of a range. Throws when the object was replaced since: a fault, and the file is read anew. */
async function openRange({ bucket, verified }: FileSource, range: Range): Promise<ReadableStream> {
  const object = await bucket.get(verified.file.objectKey, { range, onlyIf: { etagMatches: verified.etag } });
  if (object === null || !("body" in object)) throw new Error("a verified file changed while it was sent");
  return object.body;
}

/** A range as a body of known length: stores refuse one that does not say it. */
const openBody = async (source: FileSource, range: Range): Promise<ReadableStream> =>
  (await openRange(source, range)).pipeThrough(new FixedLengthStream(range.length));

export async function putFile(store: Store, key: string, source: FileSource): Promise<PutResult> {
  const { byteLength, sha256, contentType } = source.verified.file;
  const open = () => openBody(source, { offset: 0, length: byteLength });
  return putWhole(store, { key, byteLength, sha256, contentType, open });
}

/** The parts of a file. Each is read once to learn its hash, which is signed, and once to be sent. */
function partsOf(source: FileSource): FileParts {
  const { byteLength, contentType } = source.verified.file;
  const { partBytes } = DELIVERY_LIMITS;
  return {
    contentType,
    count: Math.ceil(byteLength / partBytes),
    read: async (index) => {
      const offset = index * partBytes;
      const range = { offset, length: Math.min(partBytes, byteLength - offset) };
      const sha256 = await sha256HexOfStream(await openRange(source, range));
      return { sha256, body: await openBody(source, range) };
    },
  };
}

/**
 * A file above the size that is put at once, in parts. A store that refuses their checksums gets the upload anew
 * without any: S3 wants them in all requests of an upload, or in none.
 */
export async function putFileInParts(
  store: Store,
  key: string,
  source: FileSource,
  noteUpload: NoteUpload,
): Promise<PutResult> {
  const { byteLength, sha256 } = source.verified.file;
  const put = await sendEitherWay(store.checksums, "parts", (withChecksums) =>
    uploadParts(store, key, partsOf(source), withChecksums, noteUpload),
  );
  if (put.kind === "failed") return put;
  // Some stores state the hash of all bytes where S3 states that of the parts' hashes.
  const checksums = put.value === null ? [] : [put.value, hexToBase64(sha256)];
  return verifyObject(store, { key, byteLength, sha256, checksums });
}
