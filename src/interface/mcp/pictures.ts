import type { ContentBlock } from "@modelcontextprotocol/server";
import { uint8ArrayToBase64 } from "uint8array-extras";
import { LIMITS } from "#api/limits.ts";
import type { ArtifactFile } from "#domains/artifacts/artifact.ts";
import { openVerified, verifyFile } from "#domains/artifacts/stored-file.ts";
import { readAll } from "#platform/bytes/read-all.ts";

/** The first stills of a pack within the limits, for the agent itself. Its user gets links to all files. */
function chooseStills(files: readonly ArtifactFile[]): readonly ArtifactFile[] {
  const chosen: ArtifactFile[] = [];
  let left: number = LIMITS.agentPicturesBytesMax;
  for (const file of files) {
    const isStill = file.animation === undefined && file.contentType.startsWith("image/");
    if (!isStill || file.byteLength > left || chosen.length === LIMITS.agentPicturesMax) continue;
    chosen.push(file);
    left -= file.byteLength;
  }
  return chosen;
}

/** Stills of a pack as images for an agent, verified. Skips damaged files; their links report the damage. */
export async function picturesOf(
  bucket: R2Bucket,
  files: readonly ArtifactFile[],
): Promise<readonly ContentBlock[]> {
  const read = chooseStills(files).map(async (file): Promise<ContentBlock[]> => {
    const verified = await verifyFile(bucket, file);
    const opened = verified.ok ? await openVerified(bucket, verified.value) : verified;
    if (!opened.ok) return [];
    const bytes = await readAll(opened.value, file.byteLength);
    return [{ type: "image", data: uint8ArrayToBase64(bytes), mimeType: file.contentType }];
  });
  return (await Promise.all(read)).flat();
}
