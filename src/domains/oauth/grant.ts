import { createHmac } from "node:crypto";
import { generateSecret, prefixOf, toBase62, toNumber } from "#domains/keys/secret.ts";
import { hashSecret, type KeyDatabase } from "#domains/keys/service.ts";
import { DIRECTORY, type Home, isShardName } from "#platform/databases/shard-name.ts";

/**
 * The form of codes and refresh tokens: `cpk_code_` or `cpk_refresh_`, the shard of the workspace as in an API key, 128 bits
 * that all grants of one connection share, and 256 of its own. A client with one of an earlier generation had a grant of this
 * connection: so a replay is recognised however often it was renewed since, and one row has it all.
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

/** A grant by its form; null for any other text. */
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

/** A code of a new connection. */
export const newCode = (home: Home): Grant =>
  grantOf(
    "code",
    home,
    toBase62(toNumber(crypto.getRandomValues(new Uint8Array(16))), FAMILY_CHARACTERS),
    crypto.getRandomValues(new Uint8Array(32)),
  );

/** What a grant is exchanged for, and what is stored of it. */
export interface Exchanged {
  readonly accessToken: string;
  readonly prefix: string;
  readonly secretHash: string;
  readonly refresh: Grant;
  readonly grantHash: string;
}

/**
 * The tokens that a grant is exchanged for. They follow from it and the pepper, so that a client that asks twice, because the
 * first answer was lost or two of its processes asked at once, gets the same ones.
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
