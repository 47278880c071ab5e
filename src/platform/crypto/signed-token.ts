import { base64ToUint8Array, uint8ArrayToBase64 } from "uint8array-extras";
import { equalsInConstantTime, hmacSha256, sha256Hex } from "./hashing.ts";

/** Keys that sign tokens. The previous key only verifies, until its tokens expire. */
export interface SigningKeys {
  readonly current: string;
  readonly previous: string | null;
}

/** Longer than any of our tokens; longer text is refused unread. */
export const TOKEN_CHARACTERS_MAX = 512;

const KEY_ID_CHARACTERS = 8;

const encoder = new TextEncoder();

/** Identifies a key without revealing it: the start of its hash. */
const keyIdOf = async (purpose: string, key: string): Promise<string> =>
  (await sha256Hex(`${purpose} key id\n${key}`)).slice(0, KEY_ID_CHARACTERS);

const toBase64Url = (bytes: Uint8Array): string => uint8ArrayToBase64(bytes, { urlSafe: true });

function fromBase64Url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return null;
  try {
    return base64ToUint8Array(text);
  } catch {
    return null;
  }
}

const sign = async (purpose: string, key: string, keyId: string, payload: string): Promise<string> =>
  toBase64Url(await hmacSha256(key, `${purpose}\n${keyId}.${payload}`));

/**
 * Signs a token: `<key id>.<fields>.<HMAC-SHA-256>`, the last two in base64url. The signature covers `purpose`, so it
 * is invalid for any other purpose.
 */
export async function signToken(
  keys: SigningKeys,
  purpose: string,
  fields: readonly (string | number | null)[],
): Promise<string> {
  const payload = toBase64Url(encoder.encode(JSON.stringify(fields)));
  const keyId = await keyIdOf(purpose, keys.current);
  return `${keyId}.${payload}.${await sign(purpose, keys.current, keyId, payload)}`;
}

/** The fields, as JSON, of a token that one of the keys signed for the purpose; otherwise null. */
export async function readToken(keys: SigningKeys, purpose: string, token: string): Promise<string | null> {
  if (token.length > TOKEN_CHARACTERS_MAX) return null;
  const [keyId, payload, signature, ...more] = token.split(".");
  if (keyId === undefined || payload === undefined || signature === undefined || more.length > 0) return null;
  const key = await keyNamed(keys, purpose, keyId);
  const payloadBytes = fromBase64Url(payload);
  if (key === null || payloadBytes === null) return null;
  // Compared as text, because several base64 texts decode to the same bytes and only one is valid.
  const expected = await sign(purpose, key, keyId, payload);
  if (!equalsInConstantTime(encoder.encode(signature), encoder.encode(expected))) return null;
  return new TextDecoder().decode(payloadBytes);
}

async function keyNamed(keys: SigningKeys, purpose: string, keyId: string): Promise<string | null> {
  if (keyId === (await keyIdOf(purpose, keys.current))) return keys.current;
  if (keys.previous !== null && keyId === (await keyIdOf(purpose, keys.previous))) return keys.previous;
  return null;
}
