import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Membership } from "#domains/accounts/members/membership.ts";
import type { Reader } from "#platform/db/reader.ts";
import type { AppEnv } from "./context.ts";
import { refused } from "./envelope.ts";

/**
 * Reads from the nearest replica of the database. D1 has read replicas in addition to the primary. A bookmark names a
 * state of the database: a session started with it sees that state or a later one
 * (developers.cloudflare.com/d1/best-practices/read-replication, read 2026-11-22). Answers carry the bookmark of what
 * they read or wrote. A caller that sends it back reads its own writes.
 */
const HEADER = "X-D1-Bookmark";

const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

const EXAMPLE = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";

/**
 * The request header of replica reads, for the documentation. `readNearby` validates it: a zod schema would parse all
 * headers of every poll.
 */
export const bookmarkHeaders = {
  "x-d1-bookmark": z
    .string()
    .regex(BOOKMARK)
    .optional()
    .openapi({
      description:
        "`X-D1-Bookmark` of an earlier response. The result is at least as recent as that response. Such a read is " +
        "faster than one of the latest state, because it uses the nearest replica of the database.",
      example: EXAMPLE,
    }),
};

/** The documented response header of a bookmark. */
export const BOOKMARK_HEADER = {
  [HEADER]: {
    description: "Version of the database that was written or read. Send it with reads that must include it.",
    schema: { type: "string", example: EXAMPLE },
  },
};

/** The bookmark that the caller sent; 400 INVALID_REQUEST if malformed. */
function sentBookmark(c: Context<AppEnv>): string | undefined {
  const bookmark = c.req.header(HEADER);
  if (bookmark === undefined || BOOKMARK.test(bookmark)) return bookmark;
  const issue = {
    in: "header" as const,
    path: HEADER.toLowerCase(),
    message: "must be the X-D1-Bookmark of an earlier answer",
  };
  throw refused("INVALID_REQUEST", `${issue.path}: ${issue.message}`, { issues: [issue] });
}

interface NearbyRead<T> {
  /**
   * Required freshness without a bookmark. `any`: a slightly stale state is fine, and a missing resource is read
   * again from the primary. `latest`: the caller may just have written it.
   */
  readonly unmarked: "any" | "latest";
  readonly read: (reader: Reader) => Promise<T>;
  /** Whether the resource was not found; a replica may not have it yet. */
  readonly isMissing?: (value: T) => boolean;
}

/**
 * Reads with the caller's bookmark, or without one as `unmarked` requires. Sets `X-D1-Bookmark`. Account sessions
 * always read the latest state, without bookmarks.
 */
export async function readNearby<T>(
  c: Context<AppEnv>,
  { unmarked, read, isMissing }: NearbyRead<T>,
): Promise<T> {
  const { db } = c.get("workspace");
  const membership: Membership | undefined = c.get("membership");
  if (membership !== undefined) return read(db);
  const bookmark = sentBookmark(c);
  if (bookmark !== undefined || unmarked === "any") {
    try {
      const session = db.withSession(bookmark ?? "first-unconstrained");
      const value = await read(session);
      if (isMissing?.(value) !== true) {
        showBookmark(c, session.getBookmark());
        return value;
      }
    } catch (thrown) {
      // A read with an invented bookmark fails. Then the read below answers.
      if (bookmark === undefined) throw thrown;
    }
  }
  const latest = db.withSession("first-primary");
  const value = await read(latest);
  showBookmark(c, latest.getBookmark());
  return value;
}

/** Sets `X-D1-Bookmark`; null for a session that has read and written nothing. */
export function showBookmark(c: Context<AppEnv>, bookmark: string | null): void {
  if (bookmark !== null) c.header(HEADER, bookmark);
}
