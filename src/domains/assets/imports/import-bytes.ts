import { createHash } from "node:crypto";
import { LIMITS } from "#api/limits.ts";
import type { MimeType } from "#api/slots.ts";
import { type ChunkReader, readChunks } from "#platform/bytes/chunk-reader.ts";
import { SNIFFED_BYTES } from "../sniff-type.ts";
import { brokenOff, empty, type ImportFailure, timedOut, tooLarge } from "./import-failure.ts";
import type { OpenedFile } from "./import-fetch.ts";
import type { ImportPace } from "./import-pace.ts";

/** R2's minimum size of every part but the last. */
const PART_BYTES = 5 * 1_048_576;

export interface StoredBytes {
  readonly kind: "stored";
  readonly byteLength: number;
  /** SHA-256 of the received bytes, lower-case hex. */
  readonly sha256: string;
  readonly mimeType: MimeType;
}

/** The type of a file by its first bytes, or why it is refused. */
export type TypeOf = (head: Uint8Array) => MimeType | ImportFailure;

/**
 * Streams a file into the bucket and hashes it, up to `uploadBytesMax` bytes. Buffers one part at a time. A file of one
 * part is a single put, a longer one a multipart upload, which R2 shows only when complete. A failure leaves nothing
 * stored. Throws when the bucket fails.
 */
export async function storeBytes(
  bucket: R2Bucket,
  objectKey: string,
  file: OpenedFile,
  typeOf: TypeOf,
  pace: ImportPace,
): Promise<StoredBytes | ImportFailure> {
  const { signal } = pace;
  const chunks = readChunks(file.body);
  // Not awaited, because a slow server could also delay the closing of the connection.
  const stop = (): void => void chunks.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  const source = new PartReader(chunks, pace, file.byteLength);
  try {
    return await storeParts(bucket, objectKey, source, typeOf);
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

async function storeParts(
  bucket: R2Bucket,
  objectKey: string,
  source: PartReader,
  typeOf: TypeOf,
): Promise<StoredBytes | ImportFailure> {
  const first = await source.next();
  if ("kind" in first) return first;
  if (first.bytes.byteLength === 0) return empty();
  const mimeType = typeOf(first.bytes.subarray(0, SNIFFED_BYTES));
  if (typeof mimeType !== "string") return mimeType;
  const options = { httpMetadata: { contentType: mimeType } };
  if (first.isLast) {
    await bucket.put(objectKey, first.bytes, options);
  } else {
    const failure = await storeMultipart(
      await bucket.createMultipartUpload(objectKey, options),
      first,
      source,
    );
    if (failure !== null) return failure;
  }
  return { kind: "stored", mimeType, ...source.total() };
}

/** Stores all parts, or none. */
async function storeMultipart(
  upload: R2MultipartUpload,
  first: Part,
  source: PartReader,
): Promise<ImportFailure | null> {
  try {
    const parts: R2UploadedPart[] = [];
    let part = first;
    for (;;) {
      parts.push(await upload.uploadPart(parts.length + 1, part.bytes));
      if (part.isLast) break;
      const next = await source.next();
      if ("kind" in next) {
        await upload.abort();
        return next;
      }
      part = next;
      // The stream ended with the previous part.
      if (part.bytes.byteLength === 0) break;
    }
    await upload.complete(parts);
    return null;
  } catch (thrown) {
    await upload.abort().catch(() => undefined);
    throw thrown;
  }
}

interface Part {
  /** Valid until the next part is read. */
  readonly bytes: Uint8Array;
  readonly isLast: boolean;
}

/** Reads a body into one reused buffer, part by part; every part but the last is full. */
class PartReader {
  readonly #chunks: ChunkReader;
  readonly #pace: ImportPace;
  /** Declared length, if any; a shorter body was cut off. */
  readonly #declared: number | null;
  /** Allocated with the first chunk, so that a silent server takes no memory. */
  #buffer = new Uint8Array(0);
  readonly #hash = createHash("sha256");
  #rest: Uint8Array = new Uint8Array(0);
  #received = 0;

  constructor(chunks: ChunkReader, pace: ImportPace, declared: number | null) {
    this.#chunks = chunks;
    this.#pace = pace;
    this.#declared = declared;
  }

  /** Length and hash of everything read. */
  total(): { readonly byteLength: number; readonly sha256: string } {
    return { byteLength: this.#received, sha256: this.#hash.digest("hex") };
  }

  async next(): Promise<Part | ImportFailure> {
    let filled = 0;
    for (;;) {
      const taken = this.#rest.subarray(0, PART_BYTES - filled);
      this.#buffer.set(taken, filled);
      filled += taken.byteLength;
      this.#rest = this.#rest.subarray(taken.byteLength);
      if (filled === PART_BYTES) return { bytes: this.#buffer, isLast: false };
      const read = await this.#read();
      if (read === "end") return { bytes: this.#buffer.subarray(0, filled), isLast: true };
      if ("kind" in read) return read;
      this.#rest = read;
    }
  }

  async #read(): Promise<Uint8Array | "end" | ImportFailure> {
    const chunk = await this.#chunks.read().catch(brokenOff);
    if (this.#pace.signal.aborted) return timedOut();
    if (chunk === null)
      return this.#declared !== null && this.#received < this.#declared ? brokenOff() : "end";
    if ("kind" in chunk) return chunk;
    if (this.#received === 0) this.#buffer = new Uint8Array(PART_BYTES);
    this.#pace.received(chunk.byteLength);
    this.#received += chunk.byteLength;
    if (this.#received > LIMITS.uploadBytesMax) return tooLarge();
    this.#hash.update(chunk);
    return chunk;
  }
}
