import { accept, type Outcome, refuse } from "#api/errors.ts";
import { sha256HexOfStream } from "#platform/crypto/hashing.ts";

/** Everything stored for an artifact lies under this prefix. */
export const objectPrefixOf = (workspaceId: string, artifactId: string): string =>
  `workspaces/${workspaceId}/artifacts/${artifactId}/`;

/** Where a file of the pack is stored. The same file has the same key, so that a repeat overwrites like with like. */
export const fileObjectKey = (workspaceId: string, artifactId: string, fileName: string): string =>
  `${objectPrefixOf(workspaceId, artifactId)}${fileName}`;

/** Where a still's protected picture is kept, which visitors of share links see. It is deleted with the pack's files. */
export const protectedObjectKey = (workspaceId: string, artifactId: string, fileId: string): string =>
  fileObjectKey(workspaceId, artifactId, `protected/${fileId}.png`);

/** What is recorded of a stored file. */
export interface StoredFile {
  readonly objectKey: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly byteLength: number;
  /** Of the bytes, lower-case hex. */
  readonly sha256: string;
}

/** Stores a file of a pack; R2 itself refuses bytes that do not hash to `sha256`. Safe to repeat. */
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

/** A file that was read whole and matches its record; `etag` names exactly those bytes in storage. */
export interface VerifiedFile {
  readonly file: StoredFile;
  readonly etag: string;
}

/**
 * Reads the stored file to its end and compares length, content type and SHA-256 with the record; no more than
 * a chunk of it is in memory. 409 FILE_CORRUPT when one differs or the object is gone.
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

/** 409 FILE_CORRUPT: what is stored is not what was recorded. */
export const corruptFile = ({ fileName }: Pick<StoredFile, "fileName">, fault: string) =>
  refuse("FILE_CORRUPT", `The stored file \`${fileName}\` ${fault}; nothing of it was sent.`, { fileName });

/** The verified bytes once more. 409 FILE_CORRUPT when the object was replaced or deleted since. */
export async function openVerified(
  bucket: R2Bucket,
  { file, etag }: VerifiedFile,
): Promise<Outcome<ReadableStream<Uint8Array>>> {
  const object = await bucket.get(file.objectKey, { onlyIf: { etagMatches: etag } });
  return object !== null && "body" in object
    ? accept(object.body)
    : corruptFile(file, "changed while it was being sent");
}
