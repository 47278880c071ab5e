import { accept, type Outcome } from "#api/errors.ts";
import { readAll } from "#platform/bytes/read-all.ts";
import { sha256Hex } from "#platform/crypto/hashing.ts";
import type { DrawnFile, FileDetails, PackFile } from "#platform/db/schema/index.ts";
import { pick } from "#platform/pick-members.ts";
import type { Artifact, DetailedArtifact } from "./artifact.ts";
import { restoreArtifact } from "./read-archive.ts";
import { corruptFile, fileObjectKey } from "./stored-file.ts";

/**
 * The manifest object: file details that only the manifest shows. It is stored beside the files and outlives them; the
 * row has its hash. Finding, verifying and listing files does not need it.
 */

/** No file of a pack has this name, as files are named after their sizes. */
const MANIFEST_NAME = "manifest.json";

const manifestObjectKey = (workspaceId: string, artifactId: string): string =>
  fileObjectKey(workspaceId, artifactId, MANIFEST_NAME);

/** Columns of an artifact's row: the files without their manifest details, and the manifest's hash. */
export interface StoredManifest {
  readonly files: readonly PackFile[];
  /** Hash of the manifest object, lower-case hex. */
  readonly manifestSha256: string;
}

/**
 * Stores the manifest object of drawn files, in the pack's order; returns the columns for the artifact's row. The same
 * files give the same bytes, so a retry overwrites the object with identical bytes. Throws if two files have the same
 * name, which would be a bug.
 */
export async function storeManifest(
  bucket: R2Bucket,
  workspaceId: string,
  artifactId: string,
  drawn: readonly DrawnFile[],
): Promise<StoredManifest> {
  if (new Set(drawn.map(({ fileName }) => fileName)).size < drawn.length) {
    throw new Error("two files of a pack have one name");
  }
  const details = drawn.map((file) => pick(file, "fileId", "compliance", "layout", "engineVersion"));
  const bytes = new TextEncoder().encode(JSON.stringify(details));
  const manifestSha256 = await sha256Hex(bytes);
  await bucket.put(manifestObjectKey(workspaceId, artifactId), bytes, {
    sha256: manifestSha256,
    httpMetadata: { contentType: "application/json" },
  });
  const files = drawn.map(
    ({ compliance: _compliance, layout: _layout, engineVersion: _version, ...file }) => file,
  );
  return { files, manifestSha256 };
}

/**
 * The artifact with the details from its manifest object and archive. 409 FILE_CORRUPT when the object is missing or
 * altered.
 */
export async function readDetails(bucket: R2Bucket, found: Artifact): Promise<Outcome<DetailedArtifact>> {
  const artifact = await restoreArtifact(bucket, found);
  const { fileDetails, manifestSha256 } = artifact;
  if (manifestSha256 === null) return accept({ ...artifact, fileDetails: fileDetails ?? [] });
  const stored = { fileName: MANIFEST_NAME };
  const object = await bucket.get(manifestObjectKey(artifact.workspaceId, artifact.artifactId));
  if (object === null) return corruptFile(stored, "is missing from storage");
  const bytes = await readAll(object.body, object.size);
  if ((await sha256Hex(bytes)) !== manifestSha256) return corruptFile(stored, "differs from its checksum");
  // The hash matched, so it has the shape that storeManifest wrote.
  const read: readonly FileDetails[] = JSON.parse(new TextDecoder().decode(bytes));
  return accept({ ...artifact, fileDetails: read });
}
