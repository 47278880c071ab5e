/**
 * Checksum behaviour of S3-compatible stores, according to their vendors and users. `plain` stands for the many stores
 * that ignore checksum headers and return no checksum.
 */

export type StoreProfile = "aws" | "r2" | "b2" | "minio" | "plain";

/** Kind of a request, for the rules below. */
export interface StoreRequestKind {
  readonly isPart: boolean;
  /**
   * Whether the multipart upload was started with a checksum algorithm; null if the request belongs to no multipart
   * upload.
   */
  readonly uploadHasChecksums: boolean | null;
}

export interface Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const CHECKSUM = "x-amz-checksum-sha256";

/**
 * The reason for which the store rejects a request's headers, or null.
 *
 * - AWS requires checksums in every part of an upload that was started with an algorithm, and rejects them in others:
 *   https://github.com/apache/arrow-rs/issues/6793
 * - R2 answers 501 to a part with any SHA-1 or SHA-256, but accepts both with a whole object:
 *   https://github.com/Alos-no/Cloudflare.NET/pull/43
 * - B2 answers 400 to every checksum header, even in a request for the stored checksum:
 *   https://www.backblaze.com/docs/cloud-storage-s3-compatible-api, https://github.com/iterate-ch/cyberduck/issues/16107,
 *   https://github.com/vatesfr/xen-orchestra/issues/8358
 * - MinIO accepts them everywhere and requires none in parts: https://github.com/minio/minio/issues/20225
 */
export function refusedHeader(
  profile: StoreProfile,
  headers: Headers,
  { isPart, uploadHasChecksums }: StoreRequestKind,
): Refused | null {
  const checksum = headers.get(CHECKSUM);
  if (profile === "b2") {
    const name = [...headers.keys()].find((key) => /^x-amz-(checksum-|sdk-checksum-algorithm$)/.test(key));
    return name === undefined
      ? null
      : {
          status: 400,
          code: "InvalidArgument",
          message: `Unsupported header '${name}' received for this API call.`,
        };
  }
  if (profile === "r2" && isPart && checksum !== null) {
    const message = `Header '${CHECKSUM}' with value '${checksum}' not implemented`;
    return { status: 501, code: "NotImplemented", message };
  }
  const isMixed = uploadHasChecksums !== null && uploadHasChecksums !== (checksum !== null);
  if (profile === "aws" && isPart && isMixed) {
    const [expected, actual] = checksum === null ? ["sha256", "null"] : ["null", "sha256"];
    const message = `Checksum Type mismatch occurred, expected checksum Type: ${expected}, actual checksum Type: ${actual}`;
    return { status: 400, code: "InvalidRequest", message };
  }
  return null;
}

/** Whether the store verifies a checksum sent with the bytes, stores it, and returns it on request. */
export const keepsChecksums = (profile: StoreProfile): boolean => profile !== "b2" && profile !== "plain";

/** Error code of a checksum mismatch, which differs in MinIO. */
export const digestCode = (profile: StoreProfile): string =>
  profile === "minio" ? "XAmzContentChecksumMismatch" : "BadDigest";

/** ETag of a part. R2's is longer than an MD5, see https://github.com/s3tools/s3cmd/issues/1273. */
export const partEtag = (profile: StoreProfile, hex: string): string =>
  profile === "r2" ? btoa(hex.repeat(4)) : hex.slice(0, 32);
