import { type Artifact, withObjectKeys } from "./artifact.ts";
import { readArchivedPacks } from "./read-archive.ts";

/** The artifact as it was before it was archived, or as it is where it was not. */
export async function restoreArtifact(bucket: R2Bucket, artifact: Artifact): Promise<Artifact> {
  const { workspaceId, jobId, archive } = artifact;
  if (archive === null) return artifact;
  const packs = await readArchivedPacks(bucket, [{ workspaceId, jobId, archive }]);
  const archived = packs.get(jobId);
  if (archived === undefined) return artifact;
  const { files, ...details } = archived.artifact;
  return {
    ...artifact,
    ...details,
    sizeIds: archived.job.selectedSizeIds,
    renderFingerprint: archived.job.renderFingerprint,
    files: withObjectKeys(artifact, files),
  };
}
