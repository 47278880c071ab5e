import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Reader } from "../db/reader.ts";
import type { AppEnv } from "./context.ts";
import { requireCapability } from "./require-capability.ts";

/**
 * Reads from the nearest copy of the database. D1 keeps read replicas beside the primary; a bookmark names a state, and
 * a session begun with one sees that state or a later one, wherever it reads
 * (developers.cloudflare.com/d1/best-practices/read-replication, read 2026-11-22). Answers carry the bookmark of what
 * they wrote or saw; a caller who sends it back reads his own writes.
 */
const HEADER = "X-D1-Bookmark";

const EXAMPLE = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";

/** The header of routes that may read a copy. */
export const bookmarkHeaders = z.object({
  "x-d1-bookmark": z
    .string()
    .regex(
      /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/,
      "must be the X-D1-Bookmark of an earlier answer",
    )
    .optional()
    .openapi({
      description:
        "The `X-D1-Bookmark` of an earlier answer. The answer is then at least as recent as that one; read from the " +
        "nearest copy of the database, it is faster than the latest state.",
      example: EXAMPLE,
    }),
});

/** A documented answer that carries a bookmark. */
export const withBookmark = <T extends { readonly headers: object }>(response: T) => ({
  ...response,
  headers: {
    ...response.headers,
    [HEADER]: {
      description: "The state of the database that was written or read. Send it with reads that must see it.",
      schema: { type: "string", example: EXAMPLE } as const,
    },
  },
});

interface NearbyRead<T> {
  /**
   * What a caller without a bookmark is shown. `any`: a state of a moment ago does no harm, and what it lacks altogether
   * is looked for in the latest. `latest`: he may just have written what he looks for, among other things.
   */
  readonly unmarked: "any" | "latest";
  readonly read: (reader: Reader) => Promise<T>;
  /** Whether the thing that was asked for was not there; a copy may not have it yet. */
  readonly isMissing?: (value: T) => boolean;
}

/** Reads with the caller's bookmark, or as recent as the route needs without one. Sets `X-D1-Bookmark`. */
export async function readNearby<T>(
  c: Context<AppEnv>,
  { unmarked, read, isMissing }: NearbyRead<T>,
): Promise<T> {
  const { db } = requireCapability(c, "database");
  const bookmark = c.req.header(HEADER);
  if (bookmark !== undefined || unmarked === "any") {
    try {
      const session = db.withSession(bookmark ?? "first-unconstrained");
      const value = await read(session);
      if (isMissing?.(value) !== true) {
        showBookmark(c, session);
        return value;
      }
    } catch (thrown) {
      // A bookmark that no copy knows, because it was made up, must cost nobody but its sender.
      if (bookmark === undefined) throw thrown;
    }
  }
  const latest = db.withSession("first-primary");
  const value = await read(latest);
  showBookmark(c, latest);
  return value;
}

/**
 * The database for a route that writes in batches: all goes to the primary, as without a session, and the answer gets the
 * bookmark of the last batch. Call `showWritten` when all is written.
 */
export function bookmarkedDatabase(db: D1Database): {
  readonly db: D1Database;
  showWritten(c: Context<AppEnv>): void;
} {
  let last: D1DatabaseSession | null = null;
  return {
    db: {
      prepare: (query) => db.prepare(query),
      batch: (statements) => {
        last = db.withSession("first-primary");
        return last.batch(statements);
      },
      withSession: (constraint) => db.withSession(constraint),
      exec: (query) => db.exec(query),
      dump: () => db.dump(),
    },
    showWritten: (c) => {
      if (last !== null) showBookmark(c, last);
    },
  };
}

function showBookmark(c: Context<AppEnv>, session: D1DatabaseSession): void {
  const bookmark = session.getBookmark();
  if (bookmark !== null) c.header(HEADER, bookmark);
}
