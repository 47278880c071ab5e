import { createHmac } from "node:crypto";
import { DIRECTORY, type Home, isShardName } from "#platform/databases/shard-name.ts";
import { crc32 } from "#renderer/crc32.ts";

/**
 * The form of an API key: `cpk_live_`, `cpk_test_`, `cpk_trial_` or `cpk_agent_`; the shard of its workspace when the key was made (two digits, absent
 * for a workspace in `DB`); 32 random bytes in base62; and a check of all that, so that a mistyped key is refused without a
 * read, and a secret scanner can match the pattern.
 *
 * The check is a version character and a truncated HMAC under `KEY_CHECK_SECRET`. Only this service can make it, so an invented
 * key of that version costs no read either. The version is the first letter or digit of the secret: after a change of the
 * secret, older keys name another version, which cannot be checked any more and is looked up. Where both secrets have the
 * same version, keys of the earlier one would be refused: `KEY_CHECK_SECRET_PREVIOUS` lets them be looked up. Keys from before
 * that secret, and those of an origin without one, have a CRC-32 and no version. Their length tells the two apart.
 */

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_BYTES = 32;
/** ⌈256 / log2 62⌉: digits that hold 32 bytes. */
const BODY_CHARACTERS = 43;
/** ⌈32 / log2 62⌉: digits that hold a CRC-32. As many of an HMAC: one guess in 57 thousand million is right. */
const CHECK_CHARACTERS = 6;
/** Bytes of an HMAC that are taken: more than the digits hold, so that each is as likely as the others. */
const HMAC_BYTES = 12;
const PREFIX_CHARACTERS_SHOWN = 6;

/** `agent`: the access token of a connection, which is valid only at `/mcp` (src/domains/oauth). */
export type KeyKind = "live" | "test" | "trial" | "agent";

const AGENT_PREFIX = "cpk_agent_";

export const isAgentToken = (secret: string): boolean => secret.startsWith(AGENT_PREFIX);

const PATTERN = new RegExp(
  `^(cpk_(?:live|test|trial|agent)_((?:[0-9]{2})?)[0-9A-Za-z]{${BODY_CHARACTERS}})([0-9A-Za-z]?)([0-9A-Za-z]{${CHECK_CHARACTERS}})$`,
);

export const toBase62 = (value: bigint, characters: number): string => {
  let rest = value;
  let digits = "";
  for (let index = 0; index < characters; index += 1) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits;
};

const encoder = new TextEncoder();

export const toNumber = (bytes: Uint8Array): bigint =>
  bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);

/** The CRC-32 of a key without a version. */
export const checkOf = (body: string): string =>
  toBase62(BigInt(crc32(encoder.encode(body))), CHECK_CHARACTERS);

/** The check under a secret: of the key's body with its version. */
const keyedCheckOf = (checkSecret: string, versioned: string): string =>
  toBase62(
    toNumber(createHmac("sha256", checkSecret).update(versioned).digest().subarray(0, HMAC_BYTES)),
    CHECK_CHARACTERS,
  );

const versionOf = (checkSecret: string): string => /[0-9A-Za-z]/.exec(checkSecret)?.[0] ?? "0";

/** A new secret for a workspace that lives there, from the platform's random source where no bytes are given. */
export function generateSecret(
  kind: KeyKind,
  home: Home = DIRECTORY,
  checkSecret: string | null = null,
  bytes: Uint8Array = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)),
): string {
  const random = toNumber(bytes);
  const shard = home === DIRECTORY ? "" : home;
  const body = `cpk_${kind}_${shard}${toBase62(random, BODY_CHARACTERS)}`;
  if (checkSecret === null) return body + checkOf(body);
  const versioned = body + versionOf(checkSecret);
  return versioned + keyedCheckOf(checkSecret, versioned);
}

/** What a key says by its form alone; not whether it exists. */
export interface SecretForm {
  /** Where its workspace was when the key was made. */
  readonly home: Home;
  /** Whether its check was made with the present check secret. */
  readonly isVouched: boolean;
}

/** The form of a key; null where the text has none, or its check is wrong. */
export function readSecret(
  text: string,
  checkSecret: string | null,
  previousCheckSecret: string | null = null,
): SecretForm | null {
  const [, body, shard, version, check] = PATTERN.exec(text) ?? [];
  if (body === undefined || shard === undefined || version === undefined) return null;
  const isOf = (secret: string | null) => secret !== null && check === keyedCheckOf(secret, body + version);
  const isOfVersion = checkSecret !== null && version === versionOf(checkSecret);
  const isVouched = isOfVersion && isOf(checkSecret);
  if (isOfVersion && !isVouched && !isOf(previousCheckSecret)) return null;
  if (version === "" && check !== checkOf(body)) return null;
  if (shard === "") return { home: DIRECTORY, isVouched };
  return isShardName(shard) ? { home: shard, isVouched } : null;
}

/** The first characters of a secret, enough to tell keys apart and useless to guess the rest. */
export const prefixOf = (secret: string): string =>
  secret.slice(0, secret.lastIndexOf("_") + 1 + PREFIX_CHARACTERS_SHOWN);
