import type { LinkKeys } from "#platform/bindings/capabilities.ts";
import { readToken, signToken } from "#platform/crypto/signed-token.ts";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { homeOfShare } from "#platform/databases/directory-store.ts";
import { findObject, type Located } from "#platform/databases/find-across-databases.ts";
import { DIRECTORY, type Home, readHome } from "#platform/databases/shard-name.ts";
import { latest } from "#platform/db/reader.ts";

const PURPOSE = "creative-packs share link v1";

/** The token of a share's address. Equal keys and times give equal tokens, so that none is stored. */
export const signShare = (keys: LinkKeys, shareId: string, expiresAtMs: number): Promise<string> =>
  signToken(keys, PURPOSE, [shareId, expiresAtMs, ...(keys.home === undefined ? [] : [keys.home])]);

/** A share that a token names, and the database where its workspace was when the token was made. */
export interface SignedShare {
  readonly shareId: string;
  readonly madeAt: Home;
}

/** The share of a token that one of the keys signed and whose time has not passed; otherwise null. */
export async function readShareToken(
  keys: LinkKeys,
  token: string,
  nowMs: number,
): Promise<SignedShare | null> {
  const fields = await readToken(keys, PURPOSE, token);
  if (fields === null) return null;
  // Signed by us, so it has the shape that signShare wrote.
  const [shareId, expiresAtMs, home]: [string, number, string?] = JSON.parse(fields);
  if (expiresAtMs <= nowMs) return null;
  return { shareId, madeAt: home === undefined ? DIRECTORY : readHome(home) };
}

/**
 * Where the workspace of a share lives that was made in a database; null where no database has the share. That database
 * answers for a workspace that still lives there, and the directory for one that has moved.
 */
export async function findShare(
  databases: Databases,
  madeAt: Home,
  shareId: string,
): Promise<Located | null> {
  const find = (db: D1Database) => homeOfShare.first(latest(db), { shareId });
  const db = databaseOf(databases, madeAt);
  const made = db === null ? null : await find(db);
  if (made !== null && made.home === null) return { workspaceId: made.workspaceId, home: madeAt };
  const given = { objectIds: [shareId], ...(made === null ? {} : { workspaceId: made.workspaceId }) };
  return findObject(databases, given, async (shard) => {
    const found = await find(shard);
    return found?.home === null ? { workspaceId: found.workspaceId } : null;
  });
}
