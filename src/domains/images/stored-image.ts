import { fileObjectKey } from "../artifacts/stored-file.ts";

/** An image of a workspace. `imageHash` is the hash of its URL without secret and expiry (`hashImage`). */
export interface ImageId {
  readonly workspaceId: string;
  readonly imageHash: string;
}

/** Object key of an image. It is outside the packs, so that it does not expire with their files. */
export const imageObjectKey = ({ workspaceId, imageHash }: ImageId): string =>
  `workspaces/${workspaceId}/images/${imageHash}`;

/**
 * Copies a drawn file, already stored, to its image. May be repeated. Throws when the file is missing, so that a later
 * attempt finishes the job.
 */
export async function storeImage(
  bucket: R2Bucket,
  image: ImageId,
  {
    artifactId,
    fileName,
    contentType,
    sha256,
  }: Readonly<Record<"artifactId" | "fileName" | "contentType" | "sha256", string>>,
): Promise<void> {
  const drawn = await bucket.get(fileObjectKey(image.workspaceId, artifactId, fileName));
  if (drawn === null) throw new Error("a drawn image is not in storage");
  await bucket.put(imageObjectKey(image), await drawn.arrayBuffer(), {
    sha256,
    httpMetadata: { contentType },
  });
}
