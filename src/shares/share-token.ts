import { readToken, type SigningKeys, signToken } from "../platform/signed-token.ts";

const PURPOSE = "creative-packs share link v1";

/** The token of a share's address. Equal keys and times give equal tokens, so that none is stored. */
export const signShare = (keys: SigningKeys, shareId: string, expiresAtMs: number): Promise<string> =>
  signToken(keys, PURPOSE, [shareId, expiresAtMs]);

/** The share of a token that one of the keys signed and whose time has not passed; otherwise null. */
export async function readShareToken(
  keys: SigningKeys,
  token: string,
  nowMs: number,
): Promise<string | null> {
  const fields = await readToken(keys, PURPOSE, token);
  if (fields === null) return null;
  // Signed by us, so it has the shape that signShare wrote.
  const [shareId, expiresAtMs]: [string, number] = JSON.parse(fields);
  return expiresAtMs > nowMs ? shareId : null;
}
