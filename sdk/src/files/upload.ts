import { sha256Hex } from "../digest.ts";
import { isServerRuntime } from "../environment.ts";
import { FileError, TimeoutError } from "../errors.ts";
import type { LoadedFile } from "../node/local-files.ts";
import type { RequestOptions } from "../options.ts";
import { newIdempotencyKey } from "../request.ts";
import type { UploadsResource } from "../resources/uploads.ts";
import type { Asset, CreateUpload, SlotId } from "../types.ts";
import { withLimit } from "../waiting.ts";
import { ENDINGS, knownOther, mediaTypeOf } from "./media-type.ts";
import { pixelSizeOf } from "./pixel-size.ts";
import { loadFile, type UploadSource } from "./source.ts";

export interface UploadOptions extends Omit<RequestOptions, "idempotencyKey"> {
  /** Slot of the asset. */
  readonly slot: SlotId;
  /** File name of the asset. Default: the name of the file. */
  readonly name?: string | undefined;
  /** Called as bytes are sent. In runtimes without streamed uploads: once at the start and once at the end. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Milliseconds for the whole upload, including retries. Default: ten minutes. */
  readonly limitMs?: number | undefined;
  /** Upload even if the workspace already has these bytes in this slot. */
  readonly again?: boolean | undefined;
}

/** Bytes sent so far. A retry starts at zero. */
export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** Finds the ready asset of a slot with these bytes; null if there is none. */
export type FindAsset = (slot: SlotId, sha256: string, options: RequestOptions) => Promise<Asset | null>;

/** Size of body chunks: small enough for smooth progress, large enough for few calls. */
const CHUNK_BYTES = 65_536;
/** Enough for 25 MB on a slow connection. */
const DEFAULT_LIMIT_MS = 600_000;

/** Uploads a file, unless the slot already has an asset with the same bytes. Returns the ready asset. */
export async function uploadFile(
  uploads: UploadsResource,
  find: FindAsset,
  source: UploadSource,
  { limitMs = DEFAULT_LIMIT_MS, ...options }: UploadOptions,
): Promise<Asset> {
  const file = await loadFile(source);
  const intent = describeFile(file, options.slot, options.name);
  const { fileName, byteLength } = intent;
  return withLimit(
    limitMs,
    options.signal,
    (signal) => sendFile(uploads, find, file, intent, { ...options, signal }),
    () =>
      new TimeoutError(
        `${fileName} (${byteLength} bytes) was not uploaded within ${limitMs / 1_000} s. Check the connection, or wait longer.`,
      ),
  );
}

async function sendFile(
  uploads: UploadsResource,
  find: FindAsset,
  file: LoadedFile,
  intent: CreateUpload,
  { slot, name: _, onProgress, again = false, ...options }: UploadOptions,
): Promise<Asset> {
  if (!again) {
    const known = await find(slot, await sha256Hex(file.bytes), options);
    if (known !== null) return known;
  }
  // Each step keeps its key across retries, so that a lost response causes no second upload.
  const { uploadId, assetId, headers } = await uploads.create(intent, withKey(options));
  const contentType = headers["Content-Type"] ?? intent.mimeType;
  await uploads.putObject(uploadId, { contentType, make: bodyMaker(file.bytes, onProgress) }, options);
  onProgress?.({ sentBytes: intent.byteLength, totalBytes: intent.byteLength });
  return uploads.complete(uploadId, { assetId, byteLength: intent.byteLength }, withKey(options));
}

const withKey = (options: RequestOptions): RequestOptions => ({
  ...options,
  idempotencyKey: newIdempotencyKey(),
});

/** The upload intent of a file, derived from its bytes. Throws a `FileError` if no slot accepts it. */
function describeFile(
  { name: ownName, bytes }: LoadedFile,
  slotId: SlotId,
  name: string | undefined,
): CreateUpload {
  const what = name ?? ownName ?? "The file";
  const mimeType = mediaTypeOf(bytes);
  if (mimeType === null) {
    const other = knownOther(bytes);
    throw new FileError(
      `${what} is ${other === null ? "none of the types that are taken" : `a ${other} file`}. ` +
        "Export it as PNG, JPEG, WebP or SVG; a font as TTF or OTF.",
    );
  }
  const described = {
    slotId,
    fileName: name ?? ownName ?? `${slotId}.${ENDINGS[mimeType]}`,
    mimeType,
    byteLength: bytes.byteLength,
  };
  // Fonts and SVGs have no fixed size in pixels.
  if (!/^image\/(png|jpeg|webp)$/.test(mimeType)) return described;
  const size = pixelSizeOf(bytes, mimeType);
  if (size === null) {
    throw new FileError(`${what} has no width and height in its header: it is damaged. Export it again.`);
  }
  return { ...described, ...size };
}

/** Creates the body of an attempt: a stream that reports progress if the runtime supports it, otherwise the bytes. */
function bodyMaker(
  bytes: Uint8Array<ArrayBuffer>,
  onProgress: UploadOptions["onProgress"],
): () => Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> {
  const totalBytes = bytes.byteLength;
  return () => {
    onProgress?.({ sentBytes: 0, totalBytes });
    if (onProgress === undefined || !isServerRuntime()) return bytes;
    let sentBytes = 0;
    return new ReadableStream({
      pull(controller) {
        const chunk = bytes.slice(sentBytes, sentBytes + CHUNK_BYTES);
        sentBytes += chunk.byteLength;
        controller.enqueue(chunk);
        if (sentBytes < totalBytes) onProgress({ sentBytes, totalBytes });
        else controller.close();
      },
    });
  };
}
