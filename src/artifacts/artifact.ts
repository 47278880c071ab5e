import type { Motion, OutputFormat } from "../contract/catalogue/types.ts";
import type {
  ARTIFACT_STATUSES,
  ArtifactBody,
  FILE_CONTENT_TYPES,
  FILE_ROLES,
} from "../contract/schemas/artifact.ts";
import { toTimestamp } from "../platform/clock.ts";
import type { Compliance, LayoutReport } from "../renderer/types.ts";

export type ArtifactStatus = (typeof ARTIFACT_STATUSES)[number];
export type FileContentType = (typeof FILE_CONTENT_TYPES)[number];

/**
 * One stored file of a pack. The render consumer writes an array of these as JSON into `job_outputs.files`
 * when the output is done; the finishing batch copies them into `artifact_files`.
 */
export interface OutputFile {
  readonly fileId: string;
  readonly sizeId: string;
  readonly role: (typeof FILE_ROLES)[number];
  /** Unique in the pack. */
  readonly fileName: string;
  readonly width: number;
  readonly height: number;
  readonly contentType: FileContentType;
  readonly byteLength: number;
  /** Of the stored bytes, lower-case hex. */
  readonly sha256: string;
  readonly objectKey: string;
  readonly compliance: Compliance;
  readonly layout: LayoutReport;
  readonly animation: { readonly frames: number; readonly durationMs: number; readonly loops: number } | null;
}

type FileBody = ArtifactBody["files"][number];

/** A stored file as it is read back. */
export interface ArtifactFile extends Omit<OutputFile, "compliance" | "layout"> {
  readonly compliance: FileBody["compliance"];
  readonly layout: FileBody["layout"];
}

/** A finished pack. Times are Unix milliseconds. */
export interface Artifact {
  readonly artifactId: string;
  readonly jobId: string;
  readonly workspaceId: string;
  readonly status: ArtifactStatus;
  readonly contractId: string;
  readonly motion: Motion;
  readonly outputFormat: OutputFormat;
  readonly sizeIds: readonly string[];
  readonly renderFingerprint: string;
  readonly engineVersion: string;
  readonly totalBytes: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Whether an operator has suspended its workspace. */
  readonly isSuspended: boolean;
  readonly files: readonly ArtifactFile[];
}

/** Everything stored for an artifact lies under this prefix. */
export const objectPrefixOf = (workspaceId: string, artifactId: string): string =>
  `workspaces/${workspaceId}/artifacts/${artifactId}/`;

/** Where a file of the pack is stored. The same file has the same key, so that a repeat overwrites like with like. */
export const fileObjectKey = (workspaceId: string, artifactId: string, fileName: string): string =>
  `${objectPrefixOf(workspaceId, artifactId)}${fileName}`;

/** Name of the whole pack when it is saved. */
export const packFileName = (artifact: Artifact): string =>
  `${artifact.contractId}-${artifact.artifactId}.zip`;

/** The manifest: what the API shows and what `manifest.json` in the ZIP says. Object keys stay inside. */
export const presentArtifact = (artifact: Artifact): ArtifactBody => ({
  artifactId: artifact.artifactId,
  jobId: artifact.jobId,
  status: artifact.status,
  pack: {
    contractId: artifact.contractId,
    motion: artifact.motion,
    outputFormat: artifact.outputFormat,
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

const presentFile = (file: ArtifactFile): FileBody => ({
  fileId: file.fileId,
  sizeId: file.sizeId,
  role: file.role,
  fileName: file.fileName,
  width: file.width,
  height: file.height,
  contentType: file.contentType,
  byteLength: file.byteLength,
  checksum: { algorithm: "sha256", value: file.sha256 },
  compliance: file.compliance,
  layout: file.layout,
  ...(file.animation ?? {}),
});
