import { artifactsWithFilesToDelete, expireReadyArtifacts, setFilesDeleted } from "./store.ts";
import { fileObjectKey, protectedObjectKey } from "./stored-file.ts";

/** Work done by one sweep, for the log. */
export interface ExpirySweep {
  readonly expired: number;
  readonly deleted: number;
}

/** Longer than a download takes, so that one started before the expiry can finish. */
const DOWNLOAD_GRACE_MS = 60 * 60_000;

/** R2's limit of keys per call. No pack has that many files. */
const OBJECTS_PER_DELETE_MAX = 1_000;

/** Maximum number of groups deleted per sweep, enough for 500 packs of 60 files. The next sweep deletes the others. */
const DELETIONS_MAX = 30;

interface ExpiredPack {
  readonly artifactId: string;
  readonly objectKeys: readonly string[];
}

/**
 * Sets due `ready` artifacts to `expired`; an hour later deletes their objects and sets `purged_at`. Each step handles
 * at most `limit` artifacts. Objects are deleted in groups as large as R2 allows, so that a call clears hundreds of
 * packs with a few requests. Every step is idempotent, so after a crash the next sweep continues. Throws at the end if
 * storage or database failed for some groups.
 */
export async function expireArtifacts(
  db: D1Database,
  bucket: R2Bucket,
  nowMs: number,
  limit: number,
): Promise<ExpirySweep> {
  const expired = await expireReadyArtifacts.run(db, { beforeMs: nowMs, limit });
  const found = await artifactsWithFilesToDelete.all(db, { beforeMs: nowMs - DOWNLOAD_GRACE_MS, limit });
  const packs = found.map(({ artifactId, workspaceId, files, isShared }) => {
    const stills = isShared ? files.filter(({ animation }) => animation === undefined) : [];
    const objectKeys = [
      ...files.map(({ fileName }) => fileObjectKey(workspaceId, artifactId, fileName)),
      ...stills.map(({ fileId }) => protectedObjectKey(workspaceId, artifactId, fileId)),
    ];
    return { artifactId, objectKeys };
  });
  const failures: unknown[] = [];
  let deleted = 0;
  for (const group of inGroups(packs).slice(0, DELETIONS_MAX)) {
    try {
      const objectKeys = group.flatMap((pack) => pack.objectKeys);
      if (objectKeys.length > 0) await bucket.delete(objectKeys);
      const artifactIds = JSON.stringify(group.map(({ artifactId }) => artifactId));
      await setFilesDeleted.run(db, { artifactIds, nowMs });
      deleted += group.length;
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  if (failures.length > 0) throw failures[0];
  return { expired, deleted };
}

/** The packs in order, in groups of at most `OBJECTS_PER_DELETE_MAX` objects. */
function inGroups(packs: readonly ExpiredPack[]): readonly (readonly ExpiredPack[])[] {
  const groups: ExpiredPack[][] = [];
  let count = Number.POSITIVE_INFINITY;
  for (const pack of packs) {
    count += pack.objectKeys.length;
    if (count <= OBJECTS_PER_DELETE_MAX) groups.at(-1)?.push(pack);
    else {
      groups.push([pack]);
      count = pack.objectKeys.length;
    }
  }
  return groups;
}
