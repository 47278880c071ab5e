import { DIRECTORY, type Home, isShardName } from "../databases/shard-name.ts";
import { crc32 } from "../renderer/crc32.ts";

/**
 * The shape of an API key: `cpk_live_` or `cpk_trial_`, the shard on which its workspace was when it was made (two digits,
 * which a key of a workspace in `DB` does not have), 32 random bytes in base62, and the CRC-32 of all before it in base62.
 * A mistyped key is refused by arithmetic alone, and a secret scanner can match the pattern.
 */

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_BYTES = 32;
/** ⌈256 / log2 62⌉: digits that hold 32 bytes. */
const BODY_CHARACTERS = 43;
/** ⌈32 / log2 62⌉: digits that hold a CRC-32. */
const CHECK_CHARACTERS = 6;
const PREFIX_CHARACTERS_SHOWN = 6;

export type KeyKind = "live" | "trial";

const PATTERN = new RegExp(
  `^(cpk_(?:live|trial)_((?:[0-9]{2})?)[0-9A-Za-z]{${BODY_CHARACTERS}})([0-9A-Za-z]{${CHECK_CHARACTERS}})$`,
);

const toBase62 = (value: bigint, characters: number): string => {
  let rest = value;
  let digits = "";
  for (let index = 0; index < characters; index += 1) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits;
};

const encoder = new TextEncoder();

/** The check of what stands before it. */
export const checkOf = (text: string): string =>
  toBase62(BigInt(crc32(encoder.encode(text))), CHECK_CHARACTERS);

/** A new secret from the platform's random source, for a workspace that lives there. */
export function generateSecret(kind: KeyKind, home: Home = DIRECTORY): string {
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  const value = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const shard = home === DIRECTORY ? "" : home;
  const body = `cpk_${kind}_${shard}${toBase62(value, BODY_CHARACTERS)}`;
  return body + checkOf(body);
}

/**
 * Where the workspace of a key was when the key was made; null where the text has not the form of a key or its check is
 * wrong. Says nothing of whether the key exists.
 */
export function homeOfSecret(text: string): Home | null {
  const [, body, shard, check] = PATTERN.exec(text) ?? [];
  if (body === undefined || shard === undefined || check !== checkOf(body)) return null;
  if (shard === "") return DIRECTORY;
  return isShardName(shard) ? shard : null;
}

/** The first characters of a secret, enough to tell keys apart and useless to guess the rest. */
export const prefixOf = (secret: string): string =>
  secret.slice(0, secret.lastIndexOf("_") + 1 + PREFIX_CHARACTERS_SHOWN);
