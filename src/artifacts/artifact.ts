import type { ArtifactBody } from "../api/schemas/artifact.ts";
import type { RowOf } from "../db/statement.ts";
import { toTimestamp } from "../platform/clock.ts";
import { pick } from "../platform/pick.ts";
import type { Compliance, LayoutReport } from "../renderer/types.ts";
import type { artifactById, filesOfArtifact } from "./store.ts";

export type ArtifactFile = RowOf<typeof filesOfArtifact>;

/** A finished pack. Times are Unix milliseconds. */
export type Artifact = RowOf<typeof artifactById> & { readonly files: readonly ArtifactFile[] };

/**
 * One stored file of a pack. The render consumer writes an array of these as JSON into `job_outputs.files`
 * when the output is done; the finishing batch copies them into `artifact_files`.
 */
export interface OutputFile extends Omit<ArtifactFile, "compliance" | "layout"> {
  readonly compliance: Compliance;
  readonly layout: LayoutReport;
}

/** Everything stored for an artifact lies under this prefix. */
export const objectPrefixOf = (workspaceId: string, artifactId: string): string =>
  `workspaces/${workspaceId}/artifacts/${artifactId}/`;

/** Where a file of the pack is stored. The same file has the same key, so that a repeat overwrites like with like. */
export const fileObjectKey = (workspaceId: string, artifactId: string, fileName: string): string =>
  `${objectPrefixOf(workspaceId, artifactId)}${fileName}`;

/** Where a still's protected picture is kept, which visitors of share links see. It is deleted with the pack's files. */
export const protectedObjectKey = (workspaceId: string, artifactId: string, fileId: string): string =>
  fileObjectKey(workspaceId, artifactId, `protected/${fileId}.png`);

/** Name of the whole pack when it is saved. */
export const packFileName = (artifact: Artifact): string =>
  `${artifact.contractId}-${artifact.artifactId}.zip`;

/** The manifest: what the API shows and what `manifest.json` in the ZIP holds. Object keys are left out. */
export const presentArtifact = (artifact: Artifact): ArtifactBody => ({
  ...pick(artifact, "artifactId", "jobId", "status"),
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
  files: artifact.files.map(presentFile),
});

const presentFile = (file: ArtifactFile): ArtifactBody["files"][number] => ({
  ...pick(file, "fileId", "sizeId", "role", "fileName", "width", "height", "contentType", "byteLength"),
  checksum: { algorithm: "sha256", value: file.sha256 },
  compliance: file.compliance,
  layout: file.layout,
  ...(file.animation ?? {}),
});
