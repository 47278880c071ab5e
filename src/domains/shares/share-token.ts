import { readToken, signToken } from "#platform/crypto/signed-token.ts";
import type { LinkKeys } from "#platform/databases/link-keys.ts";
import { DIRECTORY, type Home, readHome } from "#platform/databases/shard-name.ts";

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
