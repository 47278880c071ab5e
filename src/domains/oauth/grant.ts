import { createHmac } from "node:crypto";
import { generateSecret, prefixOf, toBase62, toNumber } from "#domains/keys/secret.ts";
import { hashSecret, type KeyDatabase } from "#domains/keys/service.ts";
import { DIRECTORY, type Home, isShardName } from "#platform/databases/shard-name.ts";

/**
 * Codes and refresh tokens: `cpk_code_` or `cpk_refresh_`, the workspace's shard as in an API key, 128 bits common to
 * all grants of a connection (its family), and 256 bits of this grant. The family identifies a replay of any earlier
 * grant, with only one row per connection.
 */

const FAMILY_CHARACTERS = 22;
const OWN_CHARACTERS = 43;
const PATTERN = new RegExp(
  `^(cpk_(code|refresh)_)((?:[0-9]{2})?)([0-9A-Za-z]{${FAMILY_CHARACTERS}})[0-9A-Za-z]{${OWN_CHARACTERS}}$`,
);

export interface Grant {
  readonly text: string;
  readonly kind: "code" | "refresh";
  readonly home: Home;
  readonly family: string;
}

/** Parses a grant; null for any other text. */
export function readGrant(text: string): Grant | null {
  const [, , kind, shard = "", family = ""] = PATTERN.exec(text) ?? [];
  if (kind !== "code" && kind !== "refresh") return null;
  if (shard === "") return { text, kind, home: DIRECTORY, family };
  return isShardName(shard) ? { text, kind, home: shard, family } : null;
}

const grantOf = (kind: Grant["kind"], home: Home, family: string, own: Uint8Array): Grant => ({
  text: `cpk_${kind}_${home === DIRECTORY ? "" : home}${family}${toBase62(toNumber(own), OWN_CHARACTERS)}`,
  kind,
  home,
  family,
});

/** A new connection's code. */
export const newCode = (home: Home): Grant =>
  grantOf(
    "code",
    home,
    toBase62(toNumber(crypto.getRandomValues(new Uint8Array(16))), FAMILY_CHARACTERS),
    crypto.getRandomValues(new Uint8Array(32)),
  );

/** The result of exchanging a grant, and its stored hashes. */
export interface Exchanged {
  readonly accessToken: string;
  readonly prefix: string;
  readonly secretHash: string;
  readonly refresh: Grant;
  readonly grantHash: string;
}

/**
 * The tokens for a grant. They derive from it and the pepper, so that a repeated exchange (lost response, two processes
 * at once) returns the same tokens.
 */
export async function exchanged(
  { keyPepper, keyCheckSecret, home = DIRECTORY }: KeyDatabase,
  grant: Grant,
): Promise<Exchanged> {
  const derive = (what: string) => createHmac("sha256", keyPepper).update(`${what}:${grant.text}`).digest();
  const accessToken = generateSecret("agent", home, keyCheckSecret, derive("access"));
  const refresh = grantOf("refresh", home, grant.family, derive("refresh"));
  return {
    accessToken,
    prefix: prefixOf(accessToken),
    secretHash: await hashSecret(keyPepper, accessToken),
    refresh,
    grantHash: await hashSecret(keyPepper, refresh.text),
  };
}
