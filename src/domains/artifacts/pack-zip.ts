import { makeZip, predictLength } from "client-zip";
import { accept, type Outcome } from "#api/errors.ts";
import { captureLogContext, log } from "#platform/log/log.ts";
import { type Artifact, type DetailedArtifact, presentArtifact } from "./artifact.ts";
import { openVerified, type VerifiedFile, verifyFile } from "./stored-file.ts";

/** Name of the manifest in the ZIP. No file of a pack has it, for each is named after its size. */
const MANIFEST_NAME = "manifest.json";

/** Files read at once while a pack is checked; only chunks of them are in memory. */
const VERIFICATIONS_AT_ONCE = 4;

const manifestBytes = (artifact: DetailedArtifact): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(presentArtifact(artifact), null, 2)}\n`);

/** Exact bytes of the ZIP: stored entries in the pack's order, then the manifest. */
export function packByteLength(artifact: DetailedArtifact): number {
  const entries = [
    ...artifact.files.map(({ fileName, byteLength }) => ({ name: fileName, size: byteLength })),
    { name: MANIFEST_NAME, size: manifestBytes(artifact).byteLength },
  ];
  return Number(predictLength(entries));
}

/** Verifies every file of the pack; the refusal of the first that fails. */
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

/** The ZIP of verified files, made while it is read; the same pack gives the same bytes. */
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
      // The status line has been sent: all that is left is to break off short of the length.
      if (!opened.ok) {
        const { code } = opened;
        // A stream is pulled from outside the request that made it.
        inContext(() => log.failure({ event: "download_broken_off", artifactId: artifact.artifactId, code }));
        throw new Error(opened.code);
      }
      yield { name: one.file.fileName, size: one.file.byteLength, lastModified, input: opened.value };
    }
    yield { name: MANIFEST_NAME, lastModified, input: manifestBytes(artifact) };
  }
  return makeZip(entries());
}
