import { z } from "zod";
import { MAIL_LIMITS } from "#api/mail-rules.ts";
import { type OutgoingMail, type SendResult, unavailable } from "./provider.ts";

/**
 * Cloudflare's Email Service binding and its error codes:
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/. It has no idempotency key: after a lost
 * response, the next attempt sends a second mail.
 */

/** Errors that a retry would repeat. */
const REFUSED: ReadonlySet<string> = new Set([
  "E_VALIDATION_ERROR",
  "E_FIELD_MISSING",
  "E_TOO_MANY_RECIPIENTS",
  "E_CONTENT_TOO_LARGE",
  "E_HEADER_NOT_ALLOWED",
  "E_HEADER_USE_API_FIELD",
  "E_HEADER_VALUE_INVALID",
  "E_HEADER_VALUE_TOO_LONG",
  "E_HEADER_NAME_INVALID",
  "E_HEADERS_TOO_LARGE",
  "E_HEADERS_TOO_MANY",
]);

const thrownSchema = z.object({ code: z.string() });

/** `Name <address>` or a bare address, in the binding's form. */
function senderOf(from: string): string | EmailAddress {
  const [name = "", email] = from.split("<");
  return email === undefined
    ? from.trim()
    : { name: name.trim().replaceAll('"', ""), email: email.replace(">", "").trim() };
}

/** Sends a mail by the platform's binding, with a timeout. Never throws. */
export async function sendByBinding(binding: SendEmail, mail: OutgoingMail): Promise<SendResult> {
  const { from, to, subject, text, html } = mail;
  const late = AbortSignal.timeout(MAIL_LIMITS.providerTimeoutMs);
  const tooLate = new Promise<SendResult>((resolve) => {
    late.addEventListener("abort", () => resolve(unavailable()));
  });
  return Promise.race([sent(binding.send({ from: senderOf(from), to, subject, text, html })), tooLate]);
}

async function sent(sending: Promise<EmailSendResult>): Promise<SendResult> {
  try {
    await sending;
    return { kind: "sent" };
  } catch (thrown) {
    const parsed = thrownSchema.safeParse(thrown);
    const code = parsed.success ? parsed.data.code : "";
    // The platform's list does not distinguish bounces from complaints.
    if (code === "E_RECIPIENT_SUPPRESSED") return { kind: "suppressed", reason: "bounced" };
    return REFUSED.has(code) ? { kind: "refused" } : unavailable();
  }
}
