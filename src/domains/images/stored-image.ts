import { fileObjectKey } from "../artifacts/stored-file.ts";

/** An image of a workspace: what its URL draws, as a hash (`hashImage`). */
export interface ImageId {
  readonly workspaceId: string;
  readonly imageHash: string;
}

/** Where an image is stored: beside the packs, with whose files it does not expire. */
export const imageObjectKey = ({ workspaceId, imageHash }: ImageId): string =>
  `workspaces/${workspaceId}/images/${imageHash}`;

/**
 * Stores the image of a drawn file, which lies in storage already. Safe to repeat. Throws where storage has no such file, so
 * that its job is finished by a later attempt.
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
