const encoder = new TextEncoder();

const toBytes = (value: string | Uint8Array): Uint8Array =>
  typeof value === "string" ? encoder.encode(value) : value;

/** Lower-case hex of bytes. */
export const toHex = (bytes: ArrayBuffer | Uint8Array): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** SHA-256 of text (as UTF-8) or bytes, lower-case hex. */
export const sha256Hex = async (value: string | Uint8Array): Promise<string> =>
  toHex(await crypto.subtle.digest("SHA-256", toBytes(value)));

/** HMAC-SHA-256 of text under a secret, as bytes. */
export async function hmacSha256(secret: string, message: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey(
    "raw",
    toBytes(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, toBytes(message)));
}

/** HMAC-SHA-256 of text under a secret, lower-case hex. */
export const hmacSha256Hex = async (secret: string, message: string): Promise<string> =>
  toHex(await hmacSha256(secret, message));

/** Compares in a time that depends on length only. */
export function equalsInConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  if (left.byteLength !== right.byteLength) return false;
  let difference = 0;
  for (let index = 0; index < left.byteLength; index += 1) {
    difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  }
  return difference === 0;
}
