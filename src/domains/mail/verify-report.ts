import { base64ToUint8Array } from "uint8array-extras";

/** Signatures of Resend's reports, made by Svix: https://docs.svix.com/receiving/verifying-payloads/how-manual */

/** A received report with its `svix-…` headers; a missing header is empty. */
export interface SignedReport {
  readonly body: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

const SECRET_PREFIX = "whsec_";
/** Limits the use of an intercepted report. */
const AGE_SECONDS_MAX = 300;
/**
 * Maximum number of signatures checked. During a rotation of the secret, a report has one signature for each secret.
 */
const SIGNATURES_MAX = 5;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const encoder = new TextEncoder();

const bytesOf = (base64: string): Uint8Array | null =>
  BASE64.test(base64) && base64.length % 4 === 0 ? base64ToUint8Array(base64) : null;

/** Whether a report was signed with the secret within five minutes. Compares in constant time. */
export async function isSigned(report: SignedReport, secret: string, nowMs: number): Promise<boolean> {
  const { id, timestamp, signature, body } = report;
  const secretBytes = bytesOf(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (secretBytes === null || id === "" || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > AGE_SECONDS_MAX) return false;
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secretBytes, hmac, false, ["verify"]);
  const signed = encoder.encode(`${id}.${timestamp}.${body}`);
  for (const one of signature.split(" ", SIGNATURES_MAX)) {
    const bytes = one.startsWith("v1,") ? bytesOf(one.slice(3)) : null;
    if (bytes !== null && (await crypto.subtle.verify(hmac, key, bytes, signed))) return true;
  }
  return false;
}
