import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import type { Renderer } from "#renderer/index.ts";
import type { ArtifactFile } from "../artifacts/artifact.ts";
import { protectedObjectKey, verifyFile } from "../artifacts/stored-file.ts";
import { markSeedOf } from "../previews/watermark-seed.ts";
import type { OpenShare } from "./store.ts";

/** Runs a task on the renderer when it is free. */
type WithRenderer = <T>(task: (renderer: Renderer) => Promise<T>) => Promise<T | Refusal>;

const CONTENT_TYPE = "image/png";

/**
 * The protected picture of a file. Drawn at the first request and then stored, so that all links and visitors of a pack
 * share it. 409 FILE_CORRUPT, 429 SERVICE_BUSY.
 */
export async function protectedPicture(
  bucket: R2Bucket,
  withRenderer: WithRenderer,
  share: OpenShare,
  file: ArtifactFile,
): Promise<Outcome<ReadableStream<Uint8Array> | Uint8Array>> {
  const key = protectedObjectKey(share.workspaceId, share.artifactId, file.fileId);
  const kept = await bucket.get(key);
  if (kept !== null) return accept(kept.body);
  const drawn = await withRenderer(async (renderer) => {
    // A concurrent request may have drawn it meanwhile.
    const meanwhile = await bucket.get(key);
    if (meanwhile !== null) return accept(await meanwhile.bytes());
    const picture = await draw(bucket, renderer, file, markSeedOf(share.workspaceId, "watermarked"));
    if (picture.ok) await bucket.put(key, picture.value, { httpMetadata: { contentType: CONTENT_TYPE } });
    return picture;
  });
  return drawn;
}

async function draw(
  bucket: R2Bucket,
  renderer: Renderer,
  file: ArtifactFile,
  markSeed: number,
): Promise<Outcome<Uint8Array>> {
  const { contentType: mimeType, width, height } = file;
  const verified = await verifyFile(bucket, file);
  if (!verified.ok) return verified;
  const object = await bucket.get(file.objectKey, { onlyIf: { etagMatches: verified.value.etag } });
  if (object === null || !("body" in object)) return corrupt(file, "changed while it was read");
  if (!isStillType(mimeType)) return corrupt(file, "is no still");
  const picture = await renderer.protect({
    bytes: await object.bytes(),
    mimeType,
    width,
    height,
    markSeed,
  });
  return picture.ok ? accept(picture.value) : corrupt(file, "cannot be read");
}

type StillType = "image/png" | "image/jpeg" | "image/webp";
const isStillType = (mimeType: ArtifactFile["contentType"]): mimeType is StillType =>
  mimeType === "image/png" || mimeType === "image/jpeg" || mimeType === "image/webp";

const corrupt = ({ fileName }: ArtifactFile, fault: string) =>
  refuse("FILE_CORRUPT", `The stored file \`${fileName}\` ${fault}.`, { fileName });
