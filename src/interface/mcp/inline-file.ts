import { base64ToUint8Array } from "uint8array-extras";
import { accept, type Outcome, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { MIME_TYPES, type MimeType } from "#api/slots.ts";
import { inspectContent } from "#domains/assets/content-rules.ts";
import { sniffType } from "#domains/assets/sniff-type.ts";
import { log } from "#platform/log/log.ts";
import { describeUnsupportedFormat, detectUnsupportedFormat } from "#renderer/decode/unsupported-format.ts";

/** A file inside a message. Type and size are read from the file. */
export interface InlineFile {
  readonly bytes: Uint8Array;
  readonly mimeType: MimeType;
  /** In pixels, before the EXIF orientation is applied; null for fonts and SVG. */
  readonly width: number | null;
  readonly height: number | null;
}

/** Longest accepted base64: four characters for three bytes. */
const BASE64_CHARACTERS_MAX = Math.ceil(LIMITS.agentFileBytesMax / 3) * 4;

/** Agents copy data URLs from pages: `data:image/png;base64,…`. */
const DATA_URL_START = /^data:[\w.+-]{1,40}\/[\w.+-]{1,40};base64,/;

const refuseBase64 = (message: string) =>
  refuse("INVALID_REQUEST", `base64: ${message}`, {
    issues: [{ in: "body", path: "base64", message }],
    maxBytes: LIMITS.agentFileBytesMax,
  });

/** Decodes base64 after checking its length. */
function decode(text: string): Outcome<Uint8Array> {
  const base64 = text.replace(DATA_URL_START, "");
  if (base64.length > BASE64_CHARACTERS_MAX) {
    return refuseBase64(
      `is longer than the ${BASE64_CHARACTERS_MAX} characters of ${LIMITS.agentFileBytesMax} bytes; give the url of the file instead`,
    );
  }
  if (base64 === "" || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
    return refuseBase64("is not base64 (RFC 4648 §4), with its padding and without line breaks");
  }
  return accept(base64ToUint8Array(base64));
}

/**
 * Reads a file from base64 and inspects its header. INVALID_REQUEST for text that is too long or not base64;
 * UPLOAD_INTENT_INVALID for a type that no slot accepts, and for a damaged or unreadable file.
 */
export function readInlineFile(
  base64: string,
  inspectFile?: Parameters<typeof inspectContent>[2],
): Outcome<InlineFile> {
  const decoded = decode(base64);
  if (!decoded.ok) return decoded;
  const bytes = decoded.value;
  const mimeType = sniffType(bytes);
  if (mimeType === null) {
    const foreign = detectUnsupportedFormat(bytes);
    const message =
      foreign === null ? `The file is none of ${MIME_TYPES.join(", ")}.` : describeUnsupportedFormat(foreign);
    return refuse("UPLOAD_INTENT_INVALID", message, {
      field: "mimeType",
      accepts: MIME_TYPES,
    });
  }
  const { found, thrown } = inspectContent(bytes, mimeType, inspectFile);
  if (thrown !== undefined) log.failure({ event: "inspection_failed" }, thrown);
  if (!found.ok) return refuse("UPLOAD_INTENT_INVALID", found.message, { field: "base64", ...found.excess });
  const { value } = found;
  const pixels =
    value.kind === "raster" ? { width: value.width, height: value.height } : { width: null, height: null };
  return accept({ bytes, mimeType, ...pixels });
}
