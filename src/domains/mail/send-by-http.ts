import { z } from "zod";
import { MAIL_LIMITS } from "#api/mail-rules.ts";
import { httpClient, readLimited, readRetryAfter } from "#platform/outbound/http-client.ts";
import { type OutgoingMail, type SendResult, unavailable } from "./provider.ts";

/**
 * Resend's interface, https://resend.com/docs/api-reference/emails/send-email. Its errors:
 * https://resend.com/docs/api-reference/errors. Its keys of repetition hold for a day:
 * https://resend.com/docs/dashboard/emails/idempotency-keys.
 */

export interface HttpProvider {
  readonly apiKey: string;
  readonly origin: string;
}

/** Statuses that pass by themselves, besides all from 500 on. 401 and 403 are our settings: somebody puts them right. */
const PASSING_STATUSES: readonly number[] = [401, 403, 408, 425, 429];

const errorSchema = z.object({ name: z.string() });

/** The name of a refusal; empty where the answer has none. */
function errorNameIn(text: string): string {
  try {
    const parsed = errorSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data.name : "";
  } catch {
    return "";
  }
}

/**
 * Sends a mail by HTTP, in one request with a bounded time. Never throws: what goes wrong on the way may succeed in another
 * attempt, which sends no second mail, as the provider compares the Idempotency-Key.
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
  // An earlier attempt was taken, and what the mail shows has changed since: it was sent.
  if (status === 409 && name === "invalid_idempotent_request") return { kind: "sent" };
  const isPassing = status >= 500 || status === 409 || PASSING_STATUSES.includes(status);
  return isPassing ? unavailable(readRetryAfter(headers.get("Retry-After"), nowMs)) : { kind: "refused" };
}
