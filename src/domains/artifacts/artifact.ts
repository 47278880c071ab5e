import { packZipName } from "#api/file-names.ts";
import type { ArtifactBody } from "#api/schemas/artifact.ts";
import { toTimestamp } from "#platform/clock.ts";
import type { FileDetails, PackFile } from "#platform/db/schema/index.ts";
import type { RowOf } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import type { Compliance, LayoutReport } from "#renderer/types.ts";
import type { artifactById } from "./store.ts";
import { fileObjectKey } from "./stored-file.ts";

/** A file of a pack, and where it is stored. */
export interface ArtifactFile extends PackFile {
  readonly objectKey: string;
}

/** A finished pack. Times are Unix milliseconds. */
export type Artifact = Omit<RowOf<typeof artifactById>, "files"> & {
  readonly files: readonly ArtifactFile[];
};

/** With all that the manifest shows. */
export interface DetailedArtifact extends Artifact {
  readonly fileDetails: readonly FileDetails[];
}

/**
 * One stored file of a pack as it was drawn. The render consumer writes an array of these as JSON into `job_parts.files`
 * when the part is drawn; the end of the job shares them out to the artifact's row and the manifest object.
 */
export interface OutputFile extends PackFile {
  readonly compliance: Compliance;
  readonly layout: LayoutReport;
  readonly engineVersion: string;
}

/** The files of a row, with where they are stored. */
export const withObjectKeys = (
  { workspaceId, artifactId }: { readonly workspaceId: string; readonly artifactId: string },
  files: readonly PackFile[],
): readonly ArtifactFile[] =>
  files.map((file) => ({ ...file, objectKey: fileObjectKey(workspaceId, artifactId, file.fileName) }));

/** Name of the whole pack when it is saved. */
export const packFileName = ({ brandName, name, headline, contractId, createdAtMs }: Artifact): string =>
  packZipName(brandName, name ?? headline ?? contractId, createdAtMs);

/** The manifest: what the API shows and what `manifest.json` in the ZIP holds. Object keys are left out. */
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
