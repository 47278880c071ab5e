import { areUint8ArraysEqual, concatUint8Arrays } from "uint8array-extras";

/**
 * Archives: one object of gzipped JSON lines per day and workspace. Lines are compressed in gzip members, which
 * together form one gzip file (RFC 1952, section 2.2). So a line can be read from its member alone, and lines can be
 * appended without changing earlier ones.
 */

/** The day, in whole days since 1970 (UTC), and the part of its archive. */
export interface ArchiveName {
  readonly workspaceId: string;
  readonly day: number;
  readonly part: number;
}

/** The location of a member. Bytes never move, because an archive only grows. */
export interface MemberPlace extends Omit<ArchiveName, "workspaceId"> {
  readonly offset: number;
  readonly length: number;
}

const DAY_MS = 86_400_000;

/**
 * Once a part has this size, the next append starts a new part. Limits the cost of an append, which rewrites the whole
 * object.
 */
const PART_BYTES_MAX = 4 * 1024 * 1024;

const prefixOf = (workspaceId: string, day: number): string =>
  `workspaces/${workspaceId}/old-packs/${new Date(day * DAY_MS).toISOString().slice(0, 10)}`;

/** `…/old-packs/2026-10-03.jsonl.gz`, and `….2.jsonl.gz` for a day's second part. */
export const archiveKey = ({ workspaceId, day, part }: ArchiveName): string =>
  `${prefixOf(workspaceId, day)}${part === 0 ? "" : `.${part + 1}`}.jsonl.gz`;

/** Lines as a gzip member. */
export async function compressLines(lines: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const text = new Blob(lines.map((line) => `${line}\n`)).stream();
  return new Uint8Array(await new Response(text.pipeThrough(new CompressionStream("gzip"))).arrayBuffer());
}

/** A member's lines in order. Throws when it is missing or damaged. */
export async function readMember(
  bucket: R2Bucket,
  workspaceId: string,
  { day, part, offset, length }: MemberPlace,
): Promise<readonly string[]> {
  const key = archiveKey({ workspaceId, day, part });
  const bytes = await readRange(bucket, key, offset, length);
  if (bytes === null) throw new Error(`the archive ${key} has no member at ${offset}`);
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(text).text()).split("\n").slice(0, -1);
}

/** A range of an object's bytes, or null when the object is missing or too short. */
async function readRange(
  bucket: R2Bucket,
  key: string,
  offset: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const object = await bucket.get(key, { range: { offset, length } });
  if (object === null) return null;
  const bytes = new Uint8Array(await object.arrayBuffer());
  return bytes.byteLength === length ? bytes : null;
}

/** A day's last part. Before the first append, part 0 without bytes. */
interface LastPart {
  readonly part: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Null when there is no object yet. */
  readonly etag: string | null;
}

async function readLastPart(bucket: R2Bucket, workspaceId: string, day: number): Promise<LastPart> {
  const { objects, truncated } = await bucket.list({ prefix: prefixOf(workspaceId, day) });
  if (truncated) throw new Error("a day has more archives than one listing");
  if (objects.length === 0) return { part: 0, bytes: new Uint8Array(), etag: null };
  const part = objects.length - 1;
  const object = await bucket.get(archiveKey({ workspaceId, day, part }));
  if (object === null) throw new Error(`the archives of a day are not numbered from the first to ${part}`);
  return { part, bytes: new Uint8Array(await object.arrayBuffer()), etag: object.etag };
}

/** Writes an object if its ETag is unchanged, or, for a null `etag`, if it does not exist. True when written. */
async function putUnchanged(
  bucket: R2Bucket,
  key: string,
  etag: string | null,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const onlyIf = etag === null ? new Headers({ "If-None-Match": "*" }) : { etagMatches: etag };
  const httpMetadata = { contentType: "application/gzip" };
  return (await bucket.put(key, bytes, { onlyIf, httpMetadata })) !== null;
}

/** Locations of members written one after the other, starting at an offset. */
function placesOf(
  day: number,
  part: number,
  offset: number,
  members: readonly Uint8Array[],
): readonly MemberPlace[] {
  let next = offset;
  return members.map(({ byteLength: length }) => {
    const place = { day, part, offset: next, length };
    next += length;
    return place;
  });
}

/**
 * Appends members to a day's archive, reads them back, and returns their locations. Null, with nothing written, when
 * another sweep appended meanwhile. Members that the archive already ends with are not appended again, so that a
 * crashed sweep may be repeated. Throws when the bytes read back differ.
 */
export async function appendMembers(
  bucket: R2Bucket,
  workspaceId: string,
  day: number,
  members: readonly Uint8Array<ArrayBuffer>[],
): Promise<readonly MemberPlace[] | null> {
  const added = concatUint8Arrays([...members]);
  const last = await readLastPart(bucket, workspaceId, day);
  const endsAt = last.bytes.byteLength - added.byteLength;
  if (endsAt >= 0 && areUint8ArraysEqual(last.bytes.subarray(endsAt), added)) {
    return placesOf(day, last.part, endsAt, members);
  }
  const isFull = last.bytes.byteLength >= PART_BYTES_MAX;
  const { part, bytes, etag } = isFull ? { part: last.part + 1, bytes: new Uint8Array(), etag: null } : last;
  const key = archiveKey({ workspaceId, day, part });
  if (!(await putUnchanged(bucket, key, etag, concatUint8Arrays([bytes, added])))) return null;
  const written = await readRange(bucket, key, bytes.byteLength, added.byteLength);
  if (written === null || !areUint8ArraysEqual(written, added)) {
    throw new Error(`the archive ${key} does not read as it was written`);
  }
  return placesOf(day, part, bytes.byteLength, members);
}
