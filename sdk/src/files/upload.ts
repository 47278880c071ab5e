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
  /** The slot that the asset fills. */
  readonly slot: SlotId;
  /** The asset's file name; the file's own when absent. */
  readonly name?: string | undefined;
  /** Told as bytes are sent. Where a runtime cannot tell while it sends, once at the beginning and once at the end. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Milliseconds that the whole upload may take, its tries included. Ten minutes when absent. */
  readonly limitMs?: number | undefined;
  /** Send the file even where the workspace has its bytes in this slot already. */
  readonly again?: boolean | undefined;
}

/** How many bytes have gone out. A try that fails begins anew. */
export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** Finds the ready asset of a slot with these bytes; null where there is none. */
export type FindAsset = (slot: SlotId, sha256: string, options: RequestOptions) => Promise<Asset | null>;

/** Chunks of a body: small enough for a progress that moves, large enough to be few. */
const CHUNK_BYTES = 65_536;
/** 25 MB on a slow line. */
const DEFAULT_LIMIT_MS = 600_000;

/** Uploads a file, unless the workspace has it already in the slot. Returns the ready asset. */
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
  // Each step keeps its key through its own tries, so that a lost answer makes no second upload.
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

/** The intent of a file, by its own bytes. Throws a `FileError` for one that no slot takes. */
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
  // A font has no pixels, and an SVG none that count.
  if (!/^image\/(png|jpeg|webp)$/.test(mimeType)) return described;
  const size = pixelSizeOf(bytes, mimeType);
  if (size === null) {
    throw new FileError(`${what} has no width and height in its header: it is damaged. Export it again.`);
  }
  return { ...described, ...size };
}

/** The body of each try: a stream that tells how far it is where the runtime sends one, else the bytes. */
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
