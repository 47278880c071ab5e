import { createHmac } from "node:crypto";
import { DIRECTORY, type Home, isShardName } from "#platform/databases/shard-name.ts";
import { crc32 } from "#renderer/crc32.ts";

/**
 * Format of an API key: `cpk_live_`, `cpk_test_`, `cpk_trial_` or `cpk_agent_`; the shard of its workspace at creation
 * (two digits, absent for `DB`); 32 random bytes in base62; and a check of the preceding parts. The check lets a
 * mistyped key be refused without a read, and secret scanners match the pattern.
 *
 * The check is a version character and a truncated HMAC under `KEY_CHECK_SECRET`. Only this service can compute it, so
 * an invented key of that version costs no read either. The version is the first letter or digit of `KEY_CHECK_SECRET`.
 * After a change, older keys carry another version, cannot be checked, and are looked up. If both secrets have the same
 * version, keys of the earlier one would be refused; `KEY_CHECK_SECRET_PREVIOUS` lets them be looked up. Keys created
 * without `KEY_CHECK_SECRET` have a CRC-32 and no version; their length tells the two formats apart.
 */

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_BYTES = 32;
/** ⌈256 / log2 62⌉ digits encode 32 bytes. */
const BODY_CHARACTERS = 43;
/** ⌈32 / log2 62⌉ digits encode a CRC-32. A truncated HMAC has the same length; one guess in 57 billion is right. */
const CHECK_CHARACTERS = 6;
/** HMAC bytes used: more than the digits encode, so that all digits are equally likely. */
const HMAC_BYTES = 12;
const PREFIX_CHARACTERS_SHOWN = 6;

/** `agent` is the access token of a connection, valid only at `/mcp` (src/domains/oauth). */
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

/** The CRC-32 check of a key without a version. */
export const checkOf = (body: string): string =>
  toBase62(BigInt(crc32(encoder.encode(body))), CHECK_CHARACTERS);

/** The HMAC check of a key's body and version. */
const keyedCheckOf = (checkSecret: string, versioned: string): string =>
  toBase62(
    toNumber(createHmac("sha256", checkSecret).update(versioned).digest().subarray(0, HMAC_BYTES)),
    CHECK_CHARACTERS,
  );

const versionOf = (checkSecret: string): string => /[0-9A-Za-z]/.exec(checkSecret)?.[0] ?? "0";

/** A new secret for a workspace of the database `home`. `bytes` default to random ones. */
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

/** Facts read from the text of a key, without a lookup; the key need not exist. */
export interface SecretForm {
  /** The database of its workspace when the key was created. */
  readonly home: Home;
  /** Whether its check was made with the current check secret. */
  readonly hasCurrentCheck: boolean;
}

/** Parses a key; null for another format or a wrong check. */
export function readSecret(
  text: string,
  checkSecret: string | null,
  previousCheckSecret: string | null = null,
): SecretForm | null {
  const [, body, shard, version, check] = PATTERN.exec(text) ?? [];
  if (body === undefined || shard === undefined || version === undefined) return null;
  const isOf = (secret: string | null) => secret !== null && check === keyedCheckOf(secret, body + version);
  const isOfVersion = checkSecret !== null && version === versionOf(checkSecret);
  const hasCurrentCheck = isOfVersion && isOf(checkSecret);
  if (isOfVersion && !hasCurrentCheck && !isOf(previousCheckSecret)) return null;
  if (version === "" && check !== checkOf(body)) return null;
  if (shard === "") return { home: DIRECTORY, hasCurrentCheck };
  return isShardName(shard) ? { home: shard, hasCurrentCheck } : null;
}

/** The first characters of a secret: enough to tell keys apart, useless for guessing the rest. */
export const prefixOf = (secret: string): string =>
  secret.slice(0, secret.lastIndexOf("_") + 1 + PREFIX_CHARACTERS_SHOWN);
