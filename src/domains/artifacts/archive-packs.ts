import { LIMITS } from "#api/limits.ts";
import { appendMembers, compressLines, type MemberPlace } from "./archive-object.ts";
import {
  type ArchivedPack,
  emptyArtifacts,
  nextGroupOfDay,
  nextGroupOfDays,
  type PackGroup,
  packsOfGroup,
  packsToArchive,
  setArchived,
} from "./archive-store.ts";

/**
 * The sweep of old packs: a month after a pack's files were deleted, its rows are archived in storage. Stub rows stay,
 * with the location of the archived line; `read-archive.ts` reads it.
 */

const DAY_MS = 86_400_000;

/**
 * Limits per group and call: number of packs, and total bytes of their rows. The isolate has several copies of these
 * bytes in memory.
 */
const PACKS_MAX = 400;
const ROW_BYTES_MAX = 2 * 1024 * 1024;

/**
 * Maximum characters of a member. Reading a line decompresses its whole member, but longer members compress better.
 */
const MEMBER_CHARACTERS = 128 * 1024;

/**
 * Archives old packs of at most `groups` workspaces and days, oldest days first. A group takes at most eight requests;
 * its remaining packs wait for the next call. A pack's line is stored and read back before its row is emptied, so a
 * crash leaves either whole rows or stubs, and perhaps archived lines to which no stub refers. Of two concurrent calls
 * only one appends to a day's archive. Returns the number of archived packs. Throws at the end if storage or database
 * failed for some groups.
 */
export async function archiveOldPacks(
  db: D1Database,
  bucket: R2Bucket,
  nowMs: number,
  groups: number,
): Promise<number> {
  // All packs of a day become due together, once the retention period has passed for the last of them.
  const dueDay = Math.floor((nowMs - LIMITS.oldPackRetentionMs) / DAY_MS);
  const failures: unknown[] = [];
  let archived = 0;
  let group: PackGroup | null = { day: -1, workspaceId: "" };
  for (let count = 0; count < groups; count += 1) {
    group = await nextGroup(db, group, dueDay);
    if (group === null) break;
    try {
      archived += await archiveGroup(db, bucket, group);
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  if (failures.length > 0) throw failures[0];
  return archived;
}

async function nextGroup(db: D1Database, after: PackGroup, dueDay: number): Promise<PackGroup | null> {
  const [sameDay, laterDay] = await db.batch([
    nextGroupOfDay.bind(db, after),
    nextGroupOfDays.bind(db, { day: after.day, dueDay }),
  ]);
  return nextGroupOfDay.row(sameDay) ?? nextGroupOfDays.row(laterDay);
}

/** Archives the first packs of a group; returns how many. */
async function archiveGroup(db: D1Database, bucket: R2Bucket, group: PackGroup): Promise<number> {
  const weighed = await packsOfGroup.all(db, { ...group, limit: PACKS_MAX });
  const artifactIds = firstWithin(weighed, ROW_BYTES_MAX).map(({ artifactId }) => artifactId);
  const packs = await packsToArchive.all(db, { ...group, artifactIds: JSON.stringify(artifactIds) });
  if (packs.length === 0) return 0;
  const parts = inMembers(packs);
  const members: Uint8Array<ArrayBuffer>[] = [];
  for (const { lines } of parts) members.push(await compressLines(lines));
  const places = await appendMembers(bucket, group.workspaceId, group.day, members);
  if (places === null) return 0;
  await db.batch(
    places.flatMap((place: MemberPlace, at) => {
      const jobIds = JSON.stringify(parts[at]?.jobIds ?? []);
      const archived = { jobIds, place: JSON.stringify(place) };
      return [setArchived.bind(db, archived), emptyArtifacts.bind(db, archived)];
    }),
  );
  return packs.length;
}

/** The first rows that together fit into `bytesMax`, but at least one. */
function firstWithin<Row extends { readonly byteLength: number }>(
  rows: readonly Row[],
  bytesMax: number,
): readonly Row[] {
  let sum = 0;
  return rows.filter(({ byteLength }, at) => {
    sum += byteLength;
    return at === 0 || sum <= bytesMax;
  });
}

interface MemberLines {
  readonly jobIds: string[];
  readonly lines: string[];
}

/** The packs as lines, divided into members. */
function inMembers(packs: readonly ArchivedPack[]): readonly MemberLines[] {
  const members: MemberLines[] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const pack of packs) {
    const line = JSON.stringify(pack);
    characters += line.length;
    if (characters > MEMBER_CHARACTERS) {
      members.push({ jobIds: [], lines: [] });
      characters = line.length;
    }
    members.at(-1)?.jobIds.push(pack.jobId);
    members.at(-1)?.lines.push(line);
  }
  return members;
}
