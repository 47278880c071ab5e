import type { Reader } from "../db/reader.ts";
import type { Artifact, ArtifactFile } from "./artifact.ts";

/** SQL of finished packs. Every statement names the workspace, so that a foreign id reads as a missing one. */

/** The JSON and number columns are written by the finishing batch only, which keeps the narrow types true. */
type ArtifactRow = Omit<Artifact, "files" | "sizeIds" | "isSuspended"> & {
  readonly sizeIds: string;
  readonly suspendedAtMs: number | null;
};
type FileRow = Omit<ArtifactFile, "compliance" | "layout" | "animation"> & {
  readonly compliance: string;
  readonly layout: string;
  readonly animation: string | null;
};

const toFile = (row: FileRow): ArtifactFile => ({
  fileId: row.fileId,
  sizeId: row.sizeId,
  role: row.role,
  fileName: row.fileName,
  width: row.width,
  height: row.height,
  contentType: row.contentType,
  byteLength: row.byteLength,
  sha256: row.sha256,
  objectKey: row.objectKey,
  compliance: JSON.parse(row.compliance),
  layout: JSON.parse(row.layout),
  animation: row.animation === null ? null : JSON.parse(row.animation),
});

/**
 * The artifact with its files in the pack's order, or with only the file named (none when it is not there).
 * Null when the workspace has no such artifact. An artifact past its time reads as expired, swept or not.
 */
export async function findArtifact(
  db: Reader,
  workspaceId: string,
  artifactId: string,
  fileId: string | null,
  nowMs: number,
): Promise<Artifact | null> {
  const artifactQuery = db
    .prepare(
      `SELECT artifacts.artifact_id AS artifactId, artifacts.job_id AS jobId,
         artifacts.workspace_id AS workspaceId, artifacts.status AS status,
         jobs.contract_id AS contractId, jobs.motion AS motion, jobs.output_format AS outputFormat,
         jobs.selected_size_ids AS sizeIds, jobs.render_fingerprint AS renderFingerprint,
         artifacts.engine_version AS engineVersion, artifacts.total_bytes AS totalBytes,
         artifacts.created_at AS createdAtMs, artifacts.expires_at AS expiresAtMs,
         workspaces.suspended_at AS suspendedAtMs
       FROM artifacts JOIN jobs ON jobs.job_id = artifacts.job_id
         JOIN workspaces ON workspaces.workspace_id = artifacts.workspace_id
       WHERE artifacts.workspace_id = ?1 AND artifacts.artifact_id = ?2`,
    )
    .bind(workspaceId, artifactId);
  const filesQuery = db
    .prepare(
      `SELECT file_id AS fileId, size_id AS sizeId, role, file_name AS fileName, width, height,
         content_type AS contentType, byte_length AS byteLength, sha256, object_key AS objectKey,
         compliance, layout, animation
       FROM artifact_files
       WHERE artifact_id = (SELECT artifact_id FROM artifacts WHERE workspace_id = ?1 AND artifact_id = ?2)
         AND (?3 IS NULL OR file_id = ?3)
       ORDER BY position`,
    )
    .bind(workspaceId, artifactId, fileId);
  const [found, files] = await db.batch<ArtifactRow | FileRow>([artifactQuery, filesQuery]);
  const read = found?.results.find(isArtifactRow);
  if (read === undefined) return null;
  const { suspendedAtMs, ...row } = read;
  return {
    ...row,
    isSuspended: suspendedAtMs !== null,
    status: row.expiresAtMs <= nowMs ? "expired" : row.status,
    sizeIds: JSON.parse(row.sizeIds),
    files: (files?.results ?? []).filter(isFileRow).map(toFile),
  };
}

/** An artifact without its files. Times are Unix milliseconds. */
export interface ArtifactSummary
  extends Pick<
    Artifact,
    | "artifactId"
    | "jobId"
    | "status"
    | "contractId"
    | "motion"
    | "outputFormat"
    | "totalBytes"
    | "createdAtMs"
    | "expiresAtMs"
  > {
  readonly fileCount: number;
  /** The cursor: no two jobs of a workspace have the same. */
  readonly jobCreatedAtMs: number;
}

/** At most `limit` artifacts of the workspace whose jobs were created before a time, newest job first. */
export async function findArtifacts(
  db: Reader,
  workspaceId: string,
  beforeMs: number | null,
  limit: number,
  nowMs: number,
): Promise<readonly ArtifactSummary[]> {
  const { results } = await db
    .prepare(
      `SELECT artifacts.artifact_id AS artifactId, artifacts.job_id AS jobId,
         CASE WHEN artifacts.expires_at <= ?4 THEN 'expired' ELSE artifacts.status END AS status,
         jobs.contract_id AS contractId, jobs.motion AS motion, jobs.output_format AS outputFormat,
         artifacts.total_bytes AS totalBytes, artifacts.created_at AS createdAtMs,
         artifacts.expires_at AS expiresAtMs, jobs.created_at AS jobCreatedAtMs,
         (SELECT COUNT(*) FROM artifact_files WHERE artifact_files.artifact_id = artifacts.artifact_id) AS fileCount
       FROM jobs JOIN artifacts ON artifacts.job_id = jobs.job_id
       WHERE jobs.workspace_id = ?1 AND jobs.status = 'succeeded' AND (?2 IS NULL OR jobs.created_at < ?2)
       ORDER BY jobs.created_at DESC LIMIT ?3`,
    )
    .bind(workspaceId, beforeMs, limit, nowMs)
    .all<ArtifactSummary>();
  return results;
}

const isFileRow = (row: ArtifactRow | FileRow): row is FileRow => "fileId" in row;
const isArtifactRow = (row: ArtifactRow | FileRow): row is ArtifactRow => !isFileRow(row);
