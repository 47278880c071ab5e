import { packZipName } from "#api/file-names.ts";
import type { ArtifactBody } from "#api/schemas/artifact.ts";
import { toTimestamp } from "#platform/clock.ts";
import type { FileDetails, PackFile } from "#platform/db/schema/index.ts";
import type { RowOf } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import type { Compliance, LayoutReport } from "#renderer/types.ts";
import type { artifactById } from "./store.ts";
import { fileObjectKey } from "./stored-file.ts";

/** A file of a pack with its location. */
export interface ArtifactFile extends PackFile {
  readonly objectKey: string;
}

/** A finished pack. Times are Unix milliseconds. */
export type Artifact = Omit<RowOf<typeof artifactById>, "files"> & {
  readonly files: readonly ArtifactFile[];
};

/** An artifact with everything in its manifest. */
export interface DetailedArtifact extends Artifact {
  readonly fileDetails: readonly FileDetails[];
}

/**
 * A stored file of a pack. The render consumer writes a JSON array of these to `job_parts.files` when a part is drawn;
 * finishing the job moves them to the artifact's row and the manifest object.
 */
export interface OutputFile extends PackFile {
  readonly compliance: Compliance;
  readonly layout: LayoutReport;
  readonly engineVersion: string;
}

/** The files of a row with their locations. */
export const withObjectKeys = (
  { workspaceId, artifactId }: { readonly workspaceId: string; readonly artifactId: string },
  files: readonly PackFile[],
): readonly ArtifactFile[] =>
  files.map((file) => ({ ...file, objectKey: fileObjectKey(workspaceId, artifactId, file.fileName) }));

export const packFileName = ({ brandName, name, headline, contractId, createdAtMs }: Artifact): string =>
  packZipName(brandName, name ?? headline ?? contractId, createdAtMs);

/** The manifest: the API's representation of an artifact, and `manifest.json` in the ZIP. Contains no object keys. */
export const presentArtifact = (artifact: DetailedArtifact): ArtifactBody => ({
  ...pick(artifact, "artifactId", "jobId", "status", "livemode"),
  pack: {
    ...pick(artifact, "contractId", "motion", "outputFormat"),
    sizeIds: [...artifact.sizeIds],
    renderFingerprint: artifact.renderFingerprint,
  },
  manifest: {
    engineVersion: artifact.engineVersion,
    createdAt: toTimestamp(artifact.createdAtMs),
    expiresAt: toTimestamp(artifact.expiresAtMs),
    totalBytes: artifact.totalBytes,
  },
  files: presentFiles(artifact),
});

function presentFiles({ files, fileDetails }: DetailedArtifact): ArtifactBody["files"] {
  const detailsOf = new Map(fileDetails.map((details) => [details.fileId, details]));
  return files.map((file) => {
    const details = detailsOf.get(file.fileId);
    if (details === undefined) throw new Error("a manifest lacks a file of its pack");
    return presentFile(file, details);
  });
}

const presentFile = (file: ArtifactFile, details: FileDetails): ArtifactBody["files"][number] => ({
  ...pick(file, "fileId", "sizeId", "role", "fileName", "width", "height", "contentType", "byteLength"),
  checksum: { algorithm: "sha256", value: file.sha256 },
  compliance: details.compliance,
  layout: details.layout,
  ...(details.engineVersion !== undefined && { engineVersion: details.engineVersion }),
  ...(file.animation ?? {}),
});
