import { createHmac, timingSafeEqual } from "node:crypto";
import type { IDataObject } from "n8n-workflow";

const TOLERANCE_SECONDS = 300;

/** Whether a message is signed according to Standard Webhooks and at most five minutes old. */
export function isSigned(body: Buffer, headers: IDataObject, secret: string, nowMs: number): boolean {
  const timestamp = String(headers["webhook-timestamp"]);
  if (!(Math.abs(nowMs / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(`${headers["webhook-id"]}.${timestamp}.`)
    .update(body)
    .digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .map((signature) => Buffer.from(signature.replace(/^v1,/, ""), "base64"))
    .some((sent) => sent.length === expected.length && timingSafeEqual(sent, expected));
}
