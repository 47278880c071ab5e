import type { PackArchive } from "#platform/db/schema/index.ts";
import { readMember } from "./archive-object.ts";
import type { ArchivedPack } from "./archive-store.ts";
import { type Artifact, withObjectKeys } from "./artifact.ts";

/** Opens the bucket of archives. May throw when no bucket is bound, so it is called only for archived packs. */
export type OpenStorage = () => R2Bucket;

/** The columns that remain of a pack's row after archiving. */
export interface PackStub {
  readonly workspaceId: string;
  readonly jobId: string;
  readonly archive: PackArchive;
}

/** Maximum number of members read at once; each takes a few hundred kilobytes decompressed. */
const MEMBERS_AT_ONCE = 6;

/** The packs of these stubs by job id; each member is read once. Throws when a member is missing or damaged. */
export async function readArchivedPacks(
  bucket: R2Bucket,
  stubs: readonly PackStub[],
): Promise<ReadonlyMap<string, ArchivedPack>> {
  const packs = new Map<string, ArchivedPack>();
  const members = [
    ...Map.groupBy(
      stubs,
      ({ workspaceId, archive: { day, part, offset } }) => `${workspaceId} ${day} ${part} ${offset}`,
    ).values(),
  ];
  for (let at = 0; at < members.length; at += MEMBERS_AT_ONCE) {
    const found = await Promise.all(
      members.slice(at, at + MEMBERS_AT_ONCE).map((sharing) => readPacksOfMember(bucket, sharing)),
    );
    for (const pack of found.flat()) packs.set(pack.jobId, pack);
  }
  return packs;
}

/** The packs of these stubs, whose lines are all in one member. */
async function readPacksOfMember(
  bucket: R2Bucket,
  stubs: readonly PackStub[],
): Promise<readonly ArchivedPack[]> {
  const [first] = stubs;
  if (first === undefined) return [];
  const lines = await readMember(bucket, first.workspaceId, first.archive);
  return stubs.map(({ jobId }) => {
    // archive-packs.ts writes the job id first.
    const line = lines.find((one) => one.startsWith(`{"jobId":"${jobId}"`));
    if (line === undefined) throw new Error(`an archive lacks the job ${jobId}`);
    const pack: ArchivedPack = JSON.parse(line);
    return pack;
  });
}

/** An artifact with its archived columns, if it was archived. */
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
