import { base64ToUint8Array, uint8ArrayToBase64 } from "uint8array-extras";
import { sha256Hex } from "./hashing.ts";

/** Encryption keys. The previous one only decrypts, until all secrets are encrypted with the current one. */
export interface EncryptionKeys {
  readonly current: Uint8Array;
  readonly previous: Uint8Array | null;
}

/**
 * The row of a secret: a destination, an import's asset, an image secret or an email. A secret cannot be decrypted for
 * another row or workspace.
 */
export type SealedFor =
  | ({ readonly workspaceId: string } & (
      | { readonly destinationId: string }
      | { readonly assetId: string }
      | { readonly imageSecretId: string }
    ))
  | { readonly messageReference: string };

const PURPOSE = "creative-packs destination secret v1";
const IMPORT_PURPOSE = "creative-packs import address v1";
const IMAGE_PURPOSE = "creative-packs image secret v1";
const MAIL_PURPOSE = "creative-packs mail link v1";
const KEY_ID_CHARACTERS = 8;
/** 96 bits (NIST SP 800-38D §5.2.1.1), random here. */
const NONCE_BYTES = 12;

const encoder = new TextEncoder();

/** Identifies a key without revealing it. */
const keyIdOf = async (key: Uint8Array): Promise<string> =>
  (await sha256Hex(new Uint8Array([...encoder.encode(`${PURPOSE} key id\n`), ...key]))).slice(
    0,
    KEY_ID_CHARACTERS,
  );

/** The prefix of every secret encrypted with a key. */
export const keyPrefixOf = async (key: Uint8Array): Promise<string> => `v1.${await keyIdOf(key)}.`;

const importKey = (key: Uint8Array, usage: "encrypt" | "decrypt") =>
  crypto.subtle.importKey("raw", key, "AES-GCM", false, [usage]);

function additionalData(row: SealedFor): Uint8Array {
  if ("messageReference" in row) return encoder.encode(`${MAIL_PURPOSE}\n${row.messageReference}`);
  if ("imageSecretId" in row) {
    return encoder.encode(`${IMAGE_PURPOSE}\n${row.workspaceId}\n${row.imageSecretId}`);
  }
  return encoder.encode(
    "destinationId" in row
      ? `${PURPOSE}\n${row.workspaceId}\n${row.destinationId}`
      : `${IMPORT_PURPOSE}\n${row.workspaceId}\n${row.assetId}`,
  );
}

/** Encrypts with AES-256-GCM: `v1.<key id>.<nonce>.<ciphertext and tag>`, the last two in base64. */
export async function seal(keys: EncryptionKeys, owner: SealedFor, plain: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const ciphertext = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: additionalData(owner) },
    await importKey(keys.current, "encrypt"),
    encoder.encode(plain),
  );
  return `${await keyPrefixOf(keys.current)}${uint8ArrayToBase64(iv)}.${uint8ArrayToBase64(new Uint8Array(ciphertext))}`;
}

/** Decrypts a row's secret; null if it belongs to another row, was altered, or has an unknown key. */
export async function unseal(keys: EncryptionKeys, owner: SealedFor, sealed: string): Promise<string | null> {
  const [version, keyId, nonce, ciphertext] = sealed.split(".");
  if (version !== "v1" || keyId === undefined || nonce === undefined || ciphertext === undefined) return null;
  const key = await keyNamed(keys, keyId);
  if (key === null) return null;
  try {
    const plain = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: base64ToUint8Array(nonce), additionalData: additionalData(owner) },
      await importKey(key, "decrypt"),
      base64ToUint8Array(ciphertext),
    );
    return new TextDecoder().decode(new Uint8Array(plain));
  } catch {
    return null;
  }
}

async function keyNamed(keys: EncryptionKeys, keyId: string): Promise<Uint8Array | null> {
  if (keyId === (await keyIdOf(keys.current))) return keys.current;
  if (keys.previous !== null && keyId === (await keyIdOf(keys.previous))) return keys.previous;
  return null;
}
