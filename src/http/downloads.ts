import type { Context } from "hono";
import { hexToUint8Array, uint8ArrayToBase64 } from "uint8array-extras";
import type { AppEnv } from "./context.ts";

/** What a download is called, and how long and of what type it is. */
export interface Download {
  readonly fileName: string;
  readonly contentType: string;
  readonly byteLength: number;
  /** Of the bytes, lower-case hex; null where the bytes are made while they are sent. */
  readonly sha256: string | null;
}

/**
 * `attachment` with the name twice (RFC 6266): in plain ASCII for old readers, in UTF-8 (RFC 8187) for the rest.
 */
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

/** RFC 9530: the digest of the representation, base64 between colons. */
export const reprDigest = (sha256: string): string =>
  `sha-256=:${uint8ArrayToBase64(hexToUint8Array(sha256))}:`;

/** Writes the headers that name a download; the body follows with `sendDownload`. */
function describe(c: Context<AppEnv>, { fileName, contentType, byteLength, sha256 }: Download): void {
  c.header("Content-Type", contentType);
  c.header("Content-Length", String(byteLength));
  c.header("Content-Disposition", contentDisposition(fileName));
  if (sha256 === null) return;
  c.header("ETag", contentEtag(sha256));
  c.header("Repr-Digest", reprDigest(sha256));
}

/** 200 with the bytes. A stream that ends short breaks the transfer instead of passing for whole. */
export async function sendDownload(
  c: Context<AppEnv>,
  download: Download,
  bytes: ReadableStream<Uint8Array>,
): Promise<Response> {
  describe(c, download);
  if (c.req.raw.method === "HEAD") {
    // How a source takes it that nobody wants its bytes changes nothing for who asked.
    await bytes.cancel().catch(() => undefined);
    return c.body(null, 200);
  }
  return c.body(bytes.pipeThrough(new FixedLengthStream(download.byteLength)), 200);
}
