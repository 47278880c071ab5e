import { SignatureError } from "./errors.ts";
import { readMessage } from "./read-answer.ts";
import type { WebhookMessage } from "./types.ts";

/** Verifies webhook messages, which are signed according to Standard Webhooks. */

/** Headers of a request: a `Headers` object, or a plain object as in Node.js. */
export type MessageHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface UnwrapOptions {
  /** Maximum difference between the message's timestamp and the local clock, in seconds. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
}

const SECRET_PREFIX = "whsec_";
const VERSION_PREFIX = "v1,";
const TOLERANCE_SECONDS = 300;
/** The service sends two signatures while a secret is rotated. The limit bounds the work per message. */
const SIGNATURES_MAX = 20;

const encoder = new TextEncoder();

/** Decoded base64; null if it is invalid. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

const importKey = (secret: string): Promise<CryptoKey> => {
  const bytes = decodeBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (bytes === null || bytes.byteLength === 0) {
    throw new SignatureError(
      "The secret is invalid: use the `whsec_…` that the destination was created with.",
    );
  }
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
};

function headerOf(headers: MessageHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findHeader(headers, name);
  if (typeof value !== "string" || value === "")
    throw new SignatureError(`The message has no header \`${name}\`.`);
  return value;
}

const findHeader = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

function requireRecent(timestamp: string, toleranceSeconds: number): void {
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || ageSeconds > toleranceSeconds) {
    throw new SignatureError(
      "The message was not sent just now. Drop it: it may have been recorded and sent again.",
    );
  }
}

/**
 * Verifies a message's signature and age, and returns its content. `body` must be the raw bytes or text: a message that
 * was parsed and serialised again does not match. Throws a `SignatureError` if the message is invalid; respond with 400
 * then.
 *
 * @example
 * ```ts
 * export default {
 *   async fetch(request: Request): Promise<Response> {
 *     const message = await webhooks.unwrap(await request.text(), request.headers, "whsec_…");
 *     if (message.type === "job.succeeded") console.log(message.data.job.jobId);
 *     return new Response(null, { status: 204 });
 *   },
 * };
 * ```
 */
async function unwrap(
  body: string | Uint8Array,
  headers: MessageHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS }: UnwrapOptions = {},
): Promise<WebhookMessage> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    throw new SignatureError("The message is not signed.");
  }
  requireRecent(timestamp, toleranceSeconds);
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = encoder.encode(`${id}.${timestamp}.${text}`);
  const key = await importKey(secret);
  for (const signature of signatures.split(" ").slice(0, SIGNATURES_MAX)) {
    const mac = signature.startsWith(VERSION_PREFIX)
      ? decodeBase64(signature.slice(VERSION_PREFIX.length))
      : null;
    // `verify` compares in constant time.
    if (mac !== null && (await crypto.subtle.verify("HMAC", key, mac, signed))) return readMessage(text);
  }
  throw new SignatureError("The message is not signed with this secret. Do not trust it; check the secret.");
}

/** Functions for receivers of webhooks, without a client or key. */
export const webhooks = { unwrap };
