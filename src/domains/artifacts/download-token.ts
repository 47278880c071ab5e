import type { LinkKeys } from "#platform/bindings/capabilities.ts";
import { readToken, signToken } from "#platform/crypto/signed-token.ts";
import { DIRECTORY, type Home, readHome } from "#platform/databases/shard-name.ts";

/** The download that a link allows: one file, or the whole pack for a null `fileId`. */
export interface DownloadGrant {
  readonly workspaceId: string;
  readonly artifactId: string;
  readonly fileId: string | null;
  readonly expiresAtMs: number;
}

/** A verified grant, and the database of its workspace when it was signed. */
export interface SignedGrant extends DownloadGrant {
  readonly madeAt: Home;
}

const PURPOSE = "creative-packs download link v1";

export const signGrant = (keys: LinkKeys, grant: DownloadGrant): Promise<string> =>
  signToken(keys, PURPOSE, [
    ...[grant.workspaceId, grant.artifactId, grant.fileId, grant.expiresAtMs],
    ...(keys.home === undefined ? [] : [keys.home]),
  ]);

/** The grant of an unexpired token that one of the keys signed; otherwise null. */
export async function readGrant(keys: LinkKeys, token: string, nowMs: number): Promise<SignedGrant | null> {
  const fields = await readToken(keys, PURPOSE, token);
  if (fields === null) return null;
  // Signed by this service, so it has signGrant's shape.
  const [workspaceId, artifactId, fileId, expiresAtMs, home]: [
    string,
    string,
    string | null,
    number,
    string?,
  ] = JSON.parse(fields);
  if (expiresAtMs <= nowMs) return null;
  const madeAt = home === undefined ? DIRECTORY : readHome(home);
  return { workspaceId, artifactId, fileId, expiresAtMs, madeAt };
}
