import { z } from "zod";
import { MAIL_LIMITS } from "#api/mail-rules.ts";
import { httpClient, readLimited, readRetryAfter } from "#platform/outbound/http-client.ts";
import { type OutgoingMail, type SendResult, unavailable } from "./provider.ts";

/**
 * Resend's API: https://resend.com/docs/api-reference/emails/send-email, errors
 * https://resend.com/docs/api-reference/errors, idempotency keys, valid for a day
 * https://resend.com/docs/dashboard/emails/idempotency-keys.
 */

export interface HttpProvider {
  readonly apiKey: string;
  readonly origin: string;
}

/** Temporary statuses below 500. 401 and 403 come from our settings, which an operator will correct. */
const PASSING_STATUSES: readonly number[] = [401, 403, 408, 425, 429];

const errorSchema = z.object({ name: z.string() });

/** The error's name; empty when the response has none. */
function errorNameIn(text: string): string {
  try {
    const parsed = errorSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data.name : "";
  } catch {
    return "";
  }
}

/**
 * Sends a mail with one request and a timeout. Never throws: a network failure is retried, and the Idempotency-Key
 * prevents a second mail.
 */
export async function sendByHttp(
  { apiKey, origin }: HttpProvider,
  mail: OutgoingMail,
  nowMs: number,
): Promise<SendResult> {
  const { messageId, from, to, subject, text, html } = mail;
  const request = new Request(`${origin}/emails`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${apiKey}`,
      "Content-Type": "application/json",
      "Idempotency-Key": messageId,
      "User-Agent": "creative-packs-mail/1",
    },
    body: JSON.stringify({ from, to: [to], subject, text, html }),
    redirect: "manual",
    signal: AbortSignal.timeout(MAIL_LIMITS.providerTimeoutMs),
  });
  try {
    const response = await httpClient.fetch(request);
    return resultOf(response, await readLimited(response, MAIL_LIMITS.answerBytesMax), nowMs);
  } catch {
    return unavailable();
  }
}

function resultOf({ status, headers }: Response, answer: string, nowMs: number): SendResult {
  if (status >= 200 && status < 300) return { kind: "sent" };
  const name = errorNameIn(answer);
  // An earlier attempt was accepted with other content, so the mail was sent.
  if (status === 409 && name === "invalid_idempotent_request") return { kind: "sent" };
  const isPassing = status >= 500 || status === 409 || PASSING_STATUSES.includes(status);
  return isPassing ? unavailable(readRetryAfter(headers.get("Retry-After"), nowMs)) : { kind: "refused" };
}
