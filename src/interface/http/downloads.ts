import type { Context } from "hono";
import { hexToUint8Array, uint8ArrayToBase64 } from "uint8array-extras";
import { FILE_CONTENT_TYPES } from "#api/schemas/artifact.ts";
import { openVerified, type StoredFile, verifyFile } from "#domains/artifacts/stored-file.ts";
import type { AppEnv } from "./context.ts";
import { acceptedValue } from "./envelope.ts";

/** Name, length and type of a download. */
export interface Download {
  readonly fileName: string;
  readonly contentType: string;
  readonly byteLength: number;
  /** Lower-case hex; null if the bytes are generated while they are sent. */
  readonly sha256: string | null;
}

/** `attachment` with the name twice (RFC 6266): in ASCII for old clients, in UTF-8 (RFC 8187) for others. */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName.replace(/\p{Surrogate}/gu, "\ufffd")).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Strong entity tag of content: its hash. */
export const contentEtag = (sha256: string): string => `"${sha256}"`;

/** Digest of the representation: base64 between colons (RFC 9530). */
export const reprDigest = (sha256: string): string =>
  `sha-256=:${uint8ArrayToBase64(hexToUint8Array(sha256))}:`;

/** `no-transform`: a proxy that compresses the body would invalidate its length and tag (RFC 9110 §7.7). */
const CACHE_CONTROL = "private, no-store, no-transform";

/** 304 with the headers that the 200 would have (RFC 9110 §15.4.5). */
export const notModified = (c: Context<AppEnv>, etag: string): Response =>
  c.body(null, 304, { ETag: etag, "Cache-Control": CACHE_CONTROL });

/** Sets a download's headers. */
function describe(c: Context<AppEnv>, { fileName, contentType, byteLength, sha256 }: Download): void {
  c.header("Content-Type", contentType);
  c.header("Cache-Control", CACHE_CONTROL);
  c.header("Content-Length", String(byteLength));
  c.header("Content-Disposition", contentDisposition(fileName));
  if (sha256 === null) return;
  c.header("ETag", contentEtag(sha256));
  c.header("Repr-Digest", reprDigest(sha256));
}

/** 200 with the bytes. A stream that ends early fails the transfer. */
export async function sendDownload(
  c: Context<AppEnv>,
  download: Download,
  bytes: ReadableStream<Uint8Array>,
): Promise<Response> {
  describe(c, download);
  if (c.req.raw.method === "HEAD") {
    // A failed cancel does not matter for HEAD.
    await bytes.cancel().catch(() => undefined);
    return c.body(null, 200);
  }
  return c.body(bytes.pipeThrough(new FixedLengthStream(download.byteLength)), 200);
}

/** Sends a stored file after its checksum was verified; 409 FILE_CORRUPT otherwise. */
export async function sendFile(c: Context<AppEnv>, bucket: R2Bucket, file: StoredFile): Promise<Response> {
  const verified = acceptedValue(await verifyFile(bucket, file));
  const bytes = acceptedValue(await openVerified(bucket, verified));
  return sendDownload(c, file, bytes);
}

const text = (description: string, example: string) => ({
  description,
  schema: { type: "string" },
  example,
});

/** Documented media types of a file's download; the response has the file's own type. */
export const FILE_MEDIA_TYPES = ["application/octet-stream", ...FILE_CONTENT_TYPES];

/** Documented response headers of a download. */
export const DOWNLOAD_HEADERS = {
  "Content-Length": {
    description: "Length of the body in bytes.",
    schema: { type: "integer" },
    example: 41877,
  },
  "Content-Disposition": text(
    "`attachment` with the file's name (RFC 6266).",
    "attachment; filename=\"iab-300x250.png\"; filename*=UTF-8''iab-300x250.png",
  ),
  ETag: text(
    "The content's SHA-256; files only.",
    '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  ),
  "Repr-Digest": text(
    "The content's SHA-256 (RFC 9530); files only.",
    "sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:",
  ),
};

/** Whether If-None-Match contains this entity tag, by weak comparison (RFC 9110 §13.1.2). */
export function isNoneMatchHit(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");
  return header.trim() === "*" || header.split(",").some((tag) => opaque(tag) === opaque(etag));
}
