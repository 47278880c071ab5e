import { base64ToUint8Array, uint8ArrayToBase64 } from "uint8array-extras";
import { equalsInConstantTime, hmacSha256, sha256Hex } from "../platform/hashing.ts";

/** Keys that sign links. Links of the previous key stay good until they expire; nothing new is signed with it. */
export interface SigningKeys {
  readonly current: string;
  readonly previous: string | null;
}

/** What a link lets its bearer fetch, and until when. `fileId` null is the whole pack. */
export interface DownloadGrant {
  readonly workspaceId: string;
  readonly artifactId: string;
  readonly fileId: string | null;
  readonly expiresAtMs: number;
}

/** More than any token made here has; a longer one is refused unread. */
export const TOKEN_CHARACTERS_MAX = 512;

/** Part of what is signed, so that a signature made for another purpose with the same key is not valid here. */
const PURPOSE = "creative-packs download link v1";
const KEY_ID_CHARACTERS = 8;

const encoder = new TextEncoder();

/** Identifies a key without revealing it: the start of its hash. */
const keyIdOf = async (key: string): Promise<string> =>
  (await sha256Hex(`${PURPOSE} key id\n${key}`)).slice(0, KEY_ID_CHARACTERS);

const toBase64Url = (bytes: Uint8Array): string => uint8ArrayToBase64(bytes, { urlSafe: true });

function fromBase64Url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return null;
  try {
    return base64ToUint8Array(text);
  } catch {
    return null;
  }
}

/** The signature as it stands in the token. */
const sign = async (key: string, keyId: string, payload: string): Promise<string> =>
  toBase64Url(await hmacSha256(key, `${PURPOSE}\n${keyId}.${payload}`));

/** `<key id>.<grant>.<HMAC-SHA-256>`, the last two in base64url. */
export async function signGrant(keys: SigningKeys, grant: DownloadGrant): Promise<string> {
  const { workspaceId, artifactId, fileId, expiresAtMs } = grant;
  const fields = JSON.stringify([workspaceId, artifactId, fileId, expiresAtMs]);
  const payload = toBase64Url(encoder.encode(fields));
  const keyId = await keyIdOf(keys.current);
  return `${keyId}.${payload}.${await sign(keys.current, keyId, payload)}`;
}

/** The grant of a token that one of the keys signed and whose time has not passed; otherwise null. */
export async function readGrant(
  keys: SigningKeys,
  token: string,
  nowMs: number,
): Promise<DownloadGrant | null> {
  if (token.length > TOKEN_CHARACTERS_MAX) return null;
  const [keyId, payload, signature, ...more] = token.split(".");
  if (keyId === undefined || payload === undefined || signature === undefined || more.length > 0) return null;
  const key = await keyNamed(keys, keyId);
  const payloadBytes = fromBase64Url(payload);
  if (key === null || payloadBytes === null) return null;
  // Compared as text: the same bytes have several base64 texts, and a link has one.
  const expected = await sign(key, keyId, payload);
  if (!equalsInConstantTime(encoder.encode(signature), encoder.encode(expected))) return null;
  // Signed by us, so it has the shape that signGrant wrote.
  const [workspaceId, artifactId, fileId, expiresAtMs]: [string, string, string | null, number] = JSON.parse(
    new TextDecoder().decode(payloadBytes),
  );
  return expiresAtMs > nowMs ? { workspaceId, artifactId, fileId, expiresAtMs } : null;
}

async function keyNamed(keys: SigningKeys, keyId: string): Promise<string | null> {
  if (keyId === (await keyIdOf(keys.current))) return keys.current;
  if (keys.previous !== null && keyId === (await keyIdOf(keys.previous))) return keys.previous;
  return null;
}
