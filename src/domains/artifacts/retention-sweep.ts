import { artifactsWithFilesToDelete, expireReadyArtifacts, setFilesDeleted } from "./store.ts";
import { fileObjectKey, protectedObjectKey } from "./stored-file.ts";

/** How much one sweep did, for the log. */
export interface ExpirySweep {
  readonly expired: number;
  readonly deleted: number;
}

/** Longer than a download takes: what began to be sent before the artifact expired is sent to its end. */
const DOWNLOAD_GRACE_MS = 60 * 60_000;

/** R2 deletes at most this many objects a call; no pack has as many files. */
const OBJECTS_PER_DELETE_MAX = 1_000;

/** Deletions a sweep, each with a write: five hundred packs of sixty files. More wait for the next. */
const DELETIONS_MAX = 30;

interface ExpiredPack {
  readonly artifactId: string;
  readonly objectKeys: readonly string[];
}

/**
 * Moves `ready` artifacts that have passed their time to `expired`; an hour later deletes their objects, and then notes it
 * in `purged_at`. At most `limit` artifacts of each step a call, as many of them at once as one deletion takes: a call
 * moves thousands in a few requests, or storage would grow faster than it is swept. Every step may be repeated, so a
 * sweep that dies half-way loses nothing: the next one finds the same rows. Throws at its end when storage or database
 * refused some; the others are done by then.
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

/** The packs in their order, in groups whose objects one deletion takes. */
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
