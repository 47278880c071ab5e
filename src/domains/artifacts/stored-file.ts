import { accept, type Outcome, refuse } from "#api/errors.ts";
import { sha256HexOfStream } from "#platform/crypto/hashing.ts";

export const objectPrefixOf = (workspaceId: string, artifactId: string): string =>
  `workspaces/${workspaceId}/artifacts/${artifactId}/`;

/** Object key of a pack's file. Deterministic, so that a retry overwrites the object with identical bytes. */
export const fileObjectKey = (workspaceId: string, artifactId: string, fileName: string): string =>
  `${objectPrefixOf(workspaceId, artifactId)}${fileName}`;

/**
 * Object key of a static file's protected picture, which visitors of share links see. Deleted with the pack's files.
 */
export const protectedObjectKey = (workspaceId: string, artifactId: string, fileId: string): string =>
  fileObjectKey(workspaceId, artifactId, `protected/${fileId}.png`);

/** The record of a stored file. */
export interface StoredFile {
  readonly objectKey: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly byteLength: number;
  /** Hash of the bytes, lower-case hex. */
  readonly sha256: string;
}

/** Stores a pack's file; R2 refuses bytes that do not match `sha256`. May be repeated. */
export async function storeFile(
  bucket: R2Bucket,
  { workspaceId, artifactId }: { readonly workspaceId: string; readonly artifactId: string },
  { fileName, contentType, sha256 }: Omit<StoredFile, "objectKey">,
  bytes: Uint8Array,
): Promise<void> {
  await bucket.put(fileObjectKey(workspaceId, artifactId, fileName), bytes, {
    sha256,
    httpMetadata: { contentType },
  });
}

/** A file that was read completely and matches its record; `etag` identifies these bytes. */
export interface VerifiedFile {
  readonly file: StoredFile;
  readonly etag: string;
}

/**
 * Reads the stored file completely and compares length, content type and SHA-256 with its record, one chunk in memory
 * at a time. 409 FILE_CORRUPT when one differs or the object is missing.
 */
export async function verifyFile(bucket: R2Bucket, file: StoredFile): Promise<Outcome<VerifiedFile>> {
  const object = await bucket.get(file.objectKey);
  if (object === null) return corruptFile(file, "is missing from storage");
  if (object.size !== file.byteLength || object.httpMetadata?.contentType !== file.contentType) {
    await object.body.cancel();
    return corruptFile(file, "is not of the recorded length and type");
  }
  return (await sha256HexOfStream(object.body)) === file.sha256
    ? accept({ file, etag: object.etag })
    : corruptFile(file, "differs from its checksum");
}

/** 409 FILE_CORRUPT: the stored file does not match its record. */
export const corruptFile = ({ fileName }: Pick<StoredFile, "fileName">, fault: string) =>
  refuse("FILE_CORRUPT", `The stored file \`${fileName}\` ${fault}; none of it was sent.`, { fileName });

/** Reads the verified bytes again. 409 FILE_CORRUPT when the object was replaced or deleted since. */
export async function openVerified(
  bucket: R2Bucket,
  { file, etag }: VerifiedFile,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  const object = await bucket.get(file.objectKey, { onlyIf: { etagMatches: etag } });
  return object !== null && "body" in object
    ? accept(object.body)
    : corruptFile(file, "changed while it was being sent");
}
