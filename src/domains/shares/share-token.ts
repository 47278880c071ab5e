import type { LinkKeys } from "#platform/bindings/capabilities.ts";
import { readToken, signToken } from "#platform/crypto/signed-token.ts";
import { type Databases, databaseOf } from "#platform/databases/databases.ts";
import { homeOfShare } from "#platform/databases/directory-store.ts";
import { findObject, type Located } from "#platform/databases/find-across-databases.ts";
import { DIRECTORY, type Home, readHome } from "#platform/databases/shard-name.ts";
import { latest } from "#platform/db/reader.ts";

const PURPOSE = "creative-packs share link v1";

/** The token of a share's URL. Deterministic, so it is not stored. */
export const signShare = (keys: LinkKeys, shareId: string, expiresAtMs: number): Promise<string> =>
  signToken(keys, PURPOSE, [shareId, expiresAtMs, ...(keys.home === undefined ? [] : [keys.home])]);

/** The share in a token, and the database of its workspace when the token was signed. */
export interface SignedShare {
  readonly shareId: string;
  readonly madeAt: Home;
}

/** The share of an unexpired token that one of the keys signed; otherwise null. */
export async function readShareToken(
  keys: LinkKeys,
  token: string,
  nowMs: number,
): Promise<SignedShare | null> {
  const fields = await readToken(keys, PURPOSE, token);
  if (fields === null) return null;
  // Signed by this service, so it has signShare's shape.
  const [shareId, expiresAtMs, home]: [string, number, string?] = JSON.parse(fields);
  if (expiresAtMs <= nowMs) return null;
  return { shareId, madeAt: home === undefined ? DIRECTORY : readHome(home) };
}

/**
 * The workspace of a share and its database, starting at the one where the share was created; null when no database has
 * it. A moved workspace is found through the directory.
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
