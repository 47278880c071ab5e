import { base64ToUint8Array, uint8ArrayToBase64 } from "uint8array-extras";

/** Standard Webhooks signatures, https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */

const PREFIX = "whsec_";
/** The specification asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

const encoder = new TextEncoder();

/** A new random secret: `whsec_` and base64. */
export const newSigningSecret = (): string =>
  PREFIX + uint8ArrayToBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

/** HMAC-SHA-256 of `id.timestamp.payload` under the bytes of a secret, as `v1,<base64>`. */
async function sign(secret: string, signed: string): Promise<string> {
  const bytes = base64ToUint8Array(secret.slice(PREFIX.length));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return `v1,${uint8ArrayToBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(signed))))}`;
}

/** The headers of a message: its id, the time of this attempt, and one signature for each secret. */
export async function signatureHeaders(
  secrets: readonly string[],
  messageId: string,
  nowMs: number,
  payload: string,
): Promise<Readonly<Record<string, string>>> {
  const timestamp = Math.floor(nowMs / 1_000);
  const signed = `${messageId}.${timestamp}.${payload}`;
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, signed)));
  return {
    "webhook-id": messageId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
