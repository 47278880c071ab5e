import { base64ToUint8Array, uint8ArrayToBase64 } from "uint8array-extras";
import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";

/** Signing secrets and signatures of Standard Webhooks, https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */

const PREFIX = "whsec_";
/** The specification requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

const encoder = new TextEncoder();

/** A new random secret: `whsec_` and base64. */
export const newSigningSecret = (): string =>
  PREFIX + uint8ArrayToBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

/** A replaced secret, which also signs until `untilMs`. */
interface PreviousSecret {
  readonly secret: string;
  readonly untilMs: number;
}

/** The encrypted part of a webhook's settings. */
export interface WebhookSecrets {
  readonly url: string;
  readonly signingSecret: string;
  /** Latest first. */
  readonly previous: readonly PreviousSecret[];
}

/** The secrets that sign a message at a time, the current one first. */
export const signingSecretsOf = (secrets: WebhookSecrets, nowMs: number): string[] => [
  secrets.signingSecret,
  ...secrets.previous.filter(({ untilMs }) => untilMs > nowMs).map(({ secret }) => secret),
];

/**
 * The secrets after a rotation. The old ones sign for another day, so that the receiver has time to switch. Null when
 * too many secrets are signing; none can be dropped, because a receiver may use any of them.
 */
export function rotateSecrets(
  secrets: WebhookSecrets,
  signingSecret: string,
  nowMs: number,
): WebhookSecrets | null {
  const stillSigning = secrets.previous.filter(({ untilMs }) => untilMs > nowMs);
  if (stillSigning.length + 2 > DELIVERY_LIMITS.signingSecretsMax) return null;
  const replaced = { secret: secrets.signingSecret, untilMs: nowMs + DELIVERY_LIMITS.secretOverlapMs };
  return { url: secrets.url, signingSecret, previous: [replaced, ...stillSigning] };
}

/** HMAC-SHA-256 of `id.timestamp.payload` with a secret, as `v1,<base64>`. */
async function sign(secret: string, signed: string): Promise<string> {
  const bytes = base64ToUint8Array(secret.slice(PREFIX.length));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return `v1,${uint8ArrayToBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(signed))))}`;
}

/** The headers of a message: `webhook-id`, the time of this attempt, and one signature per secret. */
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
