import { readToken, type SigningKeys, signToken } from "../platform/signed-token.ts";

/** What a link lets its bearer fetch, and until when. `fileId` null is the whole pack. */
export interface DownloadGrant {
  readonly workspaceId: string;
  readonly artifactId: string;
  readonly fileId: string | null;
  readonly expiresAtMs: number;
}

const PURPOSE = "creative-packs download link v1";

/** The token of a grant. */
export const signGrant = (keys: SigningKeys, grant: DownloadGrant): Promise<string> =>
  signToken(keys, PURPOSE, [grant.workspaceId, grant.artifactId, grant.fileId, grant.expiresAtMs]);

/** The grant of a token that one of the keys signed and whose time has not passed; otherwise null. */
export async function readGrant(
  keys: SigningKeys,
  token: string,
  nowMs: number,
): Promise<DownloadGrant | null> {
  const fields = await readToken(keys, PURPOSE, token);
  if (fields === null) return null;
  // Signed by us, so it has the shape that signGrant wrote.
  const [workspaceId, artifactId, fileId, expiresAtMs]: [string, string, string | null, number] =
    JSON.parse(fields);
  return expiresAtMs > nowMs ? { workspaceId, artifactId, fileId, expiresAtMs } : null;
}
