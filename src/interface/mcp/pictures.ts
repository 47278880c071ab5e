import type { ContentBlock } from "@modelcontextprotocol/server";
import { uint8ArrayToBase64 } from "uint8array-extras";
import { LIMITS } from "#api/limits.ts";
import type { ArtifactFile } from "#domains/artifacts/artifact.ts";
import { openVerified, verifyFile } from "#domains/artifacts/stored-file.ts";
import { readAll } from "#platform/bytes/read-all.ts";

/** The first stills of a pack that fit together, few and small: an agent looks at them, and hands on the links. */
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

/** Stills of a pack as an agent sees them, whole and verified. One that is damaged is left out: its link says so. */
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
