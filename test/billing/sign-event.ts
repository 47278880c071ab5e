import { WEBHOOK_SECRET } from "./offers.ts";

/** Signatures as Stripe makes them (https://docs.stripe.com/webhooks#verify-manually). */

/** HMAC-SHA-256 over the time, a dot and the body, in hex. */
export async function v1Of(payload: string, seconds: number, secret = WEBHOOK_SECRET): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(`${seconds}.${payload}`));
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The `Stripe-Signature` of a body sent now. */
export async function signatureOf(payload: string, nowMs: number, secret = WEBHOOK_SECRET): Promise<string> {
  const seconds = Math.floor(nowMs / 1_000);
  return `t=${seconds},v1=${await v1Of(payload, seconds, secret)}`;
}
