import { makeZip, predictLength } from "client-zip";
import { accept, type Outcome } from "#api/errors.ts";
import { captureLogContext, log } from "#platform/log/log.ts";
import { type Artifact, type DetailedArtifact, presentArtifact } from "./artifact.ts";
import { openVerified, type VerifiedFile, verifyFile } from "./stored-file.ts";

/** Name of the manifest in the ZIP. No file of a pack has it, as files are named after their sizes. */
const MANIFEST_NAME = "manifest.json";

/** Maximum number of files verified at once; only a chunk of each is in memory. */
const VERIFICATIONS_AT_ONCE = 4;

const manifestBytes = (artifact: DetailedArtifact): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(presentArtifact(artifact), null, 2)}\n`);

/** Exact length of the ZIP: stored entries in the pack's order, then the manifest. */
export function packByteLength(artifact: DetailedArtifact): number {
  const entries = [
    ...artifact.files.map(({ fileName, byteLength }) => ({ name: fileName, size: byteLength })),
    { name: MANIFEST_NAME, size: manifestBytes(artifact).byteLength },
  ];
  return Number(predictLength(entries));
}

/** Verifies every file of the pack; returns the first refusal. */
export async function verifyPack(
  bucket: R2Bucket,
  artifact: Artifact,
): Promise<Outcome<readonly VerifiedFile[]>> {
  const verified: VerifiedFile[] = [];
  for (let start = 0; start < artifact.files.length; start += VERIFICATIONS_AT_ONCE) {
    const files = artifact.files.slice(start, start + VERIFICATIONS_AT_ONCE);
    for (const outcome of await Promise.all(files.map((file) => verifyFile(bucket, file)))) {
      if (!outcome.ok) return outcome;
      verified.push(outcome.value);
    }
  }
  return accept(verified);
}

/** Streams the ZIP of verified files; the same pack gives the same bytes. */
export function zipPack(
  bucket: R2Bucket,
  artifact: DetailedArtifact,
  verified: readonly VerifiedFile[],
): ReadableStream<Uint8Array> {
  const lastModified = new Date(artifact.createdAtMs);
  const inContext = captureLogContext();
  async function* entries() {
    for (const one of verified) {
      const opened = await openVerified(bucket, one);
      // The status line was sent, so the only error signal left is a short body.
      if (!opened.ok) {
        const { code } = opened;
        // The stream is read outside its request's context.
        inContext(() => log.failure({ event: "download_broken_off", artifactId: artifact.artifactId, code }));
        throw new Error(opened.code);
      }
      yield { name: one.file.fileName, size: one.file.byteLength, lastModified, input: opened.value };
    }
    yield { name: MANIFEST_NAME, lastModified, input: manifestBytes(artifact) };
  }
  return makeZip(entries());
}
