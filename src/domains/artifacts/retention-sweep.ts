import { artifactsWithFilesToDelete, expireReadyArtifacts, setFilesDeleted } from "./store.ts";
import { fileObjectKey, protectedObjectKey } from "./stored-file.ts";

/** Work done by one sweep, for the log. */
export interface ExpirySweep {
  readonly expired: number;
  readonly deleted: number;
}

/** Longer than a download takes, so that one started before the expiry can finish. */
const DOWNLOAD_GRACE_MS = 60 * 60_000;

/** R2's limit per call; no pack has as many files. */
const OBJECTS_PER_DELETE_MAX = 1_000;

/** Deletions per sweep, each with a write: five hundred packs of sixty files. The rest waits for the next sweep. */
const DELETIONS_MAX = 30;

interface ExpiredPack {
  readonly artifactId: string;
  readonly objectKeys: readonly string[];
}

/**
 * Sets due `ready` artifacts to `expired`; an hour later deletes their objects and sets `purged_at`. Handles at most
 * `limit` artifacts of each step, in groups that one deletion takes, so that a call clears thousands with a few
 * requests. Every step is idempotent, so after a crash the next sweep continues. Throws at the end when storage or
 * database refused some.
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

/** The packs in order, in groups whose objects one deletion takes. */
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
