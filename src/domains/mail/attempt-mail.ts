import { MAIL_BACKOFF_SECONDS, type MailKind, type MailLanguage } from "#api/mail-rules.ts";
import type { MailProvider } from "#platform/bindings/capabilities.ts";
import { clock } from "#platform/clock.ts";
import { loadOnce } from "#platform/concurrency/load-once.ts";
import type { EncryptionKeys } from "#platform/crypto/sealed-secret.ts";
import type { Lease } from "#platform/db/leased-rows.ts";
import type { LeasedWork } from "#platform/leased-work/leased-work.ts";
import {
  DONE,
  EXHAUSTED,
  type MessageResult,
  retryAfter,
  secondsToNextAttempt,
} from "#platform/leased-work/message-result.ts";
import { failedPacks } from "./failed-packs-store.ts";
import { fillHtml, fillSubject, fillText } from "./fill-template.ts";
import {
  type ClaimedMail,
  claimMail,
  delayMail,
  endExhaustedMail,
  endExpiredMail,
  mailRows,
  settleMail,
} from "./mail-attempt-store.ts";
import { unsealLink } from "./outbox.ts";
import type { OutgoingMail, SendResult } from "./provider.ts";
import { sendByBinding } from "./send-by-binding.ts";
import { sendByHttp } from "./send-by-http.ts";
import { suppressAddress, suppression } from "./suppression-store.ts";
import { VALUES, type ValueSources } from "./template-values.ts";
import type { Templates } from "./templates.ts";

export interface MailServices {
  readonly db: D1Database;
  /** `DB`, which has the suppressed addresses. */
  readonly directory: D1Database;
  readonly from: string;
  readonly origin: string;
  readonly provider: MailProvider;
  readonly encryption: EncryptionKeys;
}

type AttemptResult =
  | Exclude<SendResult, { kind: "suppressed" }>
  /** `reason` is the provider's; null when the address was on our own list. */
  | { readonly kind: "suppressed"; readonly reason: "bounced" | "complained" | null }
  /** The mail's link cannot be decrypted, or its facts do not match its kind. */
  | { readonly kind: "unreadable" };

const PACKS_NAMED_MAX = 10;

/** Mails as leased work. */
export const mailWork: LeasedWork<MailServices, ClaimedMail, AttemptResult> = {
  logKey: "mailId",
  rows: mailRows,
  claim: claimMail,
  endings: (db, attempt) => [endExhaustedMail.bind(db, attempt), endExpiredMail.bind(db, attempt)],
  attempt: attemptMail,
  logged: ({ kind }) => ({ code: kind }),
  settle,
};

async function attemptMail(services: MailServices, claimed: ClaimedMail): Promise<AttemptResult> {
  const { db, directory, from, origin, encryption } = services;
  // The claim has checked its own database, which is the directory when there are no shards.
  const isSuppressed =
    claimed.isSuppressed || (db !== directory && (await suppression.first(directory, claimed)) !== null);
  if (isSuppressed) return { kind: "suppressed", reason: null };
  const { messageId, reference, kind, language, facts, address, expiresAtMs } = claimed;
  const link = claimed.sealed === null ? null : await unsealLink(encryption, reference, claimed.sealed);
  const composed = await composeMail({
    ...{ kind, language, facts, link, origin, expiresAtMs },
    readFailedPacks: (span) => failedPacks.all(db, { ...span, limit: PACKS_NAMED_MAX }),
  });
  if (composed === null) return { kind: "unreadable" };
  return send(services, { messageId, from, to: address, ...composed });
}

const send = ({ provider }: MailServices, mail: OutgoingMail): Promise<SendResult> =>
  provider.kind === "binding"
    ? sendByBinding(provider.binding, mail)
    : sendByHttp(provider, mail, clock.now());

/**
 * Writes the result of an attempt, unless its lease is lost. The same batch suppresses an address that the provider
 * refuses to mail. Ends a mail that would expire before its next attempt.
 */
async function settle(
  { db, directory }: MailServices,
  { id, leaseId, address, attempts, expiresAtMs }: ClaimedMail & Lease,
  result: AttemptResult,
): Promise<MessageResult> {
  const nowMs = clock.now();
  const lease = { id, leaseId, nowMs };
  switch (result.kind) {
    case "sent":
      await settleMail.run(db, { ...lease, status: "sent", failureCode: null });
      return DONE;
    case "suppressed": {
      const writes = [settleMail.bind(db, { ...lease, status: "suppressed", failureCode: null })];
      if (result.reason !== null) {
        const suppressed = { address, reason: result.reason, nowMs };
        if (db !== directory) await suppressAddress.run(directory, suppressed);
        writes.push(suppressAddress.bind(db, suppressed));
      }
      await db.batch(writes);
      return DONE;
    }
    case "refused":
    case "unreadable": {
      const failureCode = result.kind === "refused" ? "REFUSED" : "UNREADABLE";
      await settleMail.run(db, { ...lease, status: "failed", failureCode });
      return DONE;
    }
    case "unavailable": {
      const seconds = secondsToNextAttempt(MAIL_BACKOFF_SECONDS, attempts, result.retryAfterSeconds);
      const nextAttemptAtMs = nowMs + (seconds ?? 0) * 1_000;
      if (seconds !== null && nextAttemptAtMs < expiresAtMs) {
        await delayMail.run(db, { ...lease, nextAttemptAtMs });
        return retryAfter(seconds * 1_000);
      }
      const failureCode = seconds === null ? "EXHAUSTED" : "EXPIRED";
      await settleMail.run(db, { ...lease, status: "failed", failureCode });
      return EXHAUSTED;
    }
  }
}

// Loaded on demand, because most isolates send no mail.
const loadTemplates = loadOnce(() => import("./templates.json"));

/** A row of the outbox with its link decrypted. */
interface MailToCompose extends Omit<ValueSources, "phrases"> {
  readonly kind: MailKind;
  readonly language: MailLanguage;
  readonly facts: unknown;
}

interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Composes a mail in its language. Deterministic, so that a provider recognizes a retry. Null when the facts do not
 * match the kind, or the link is missing.
 */
export async function composeMail({ kind, facts, ...mail }: MailToCompose): Promise<ComposedMail | null> {
  const { default: templates } = (await loadTemplates()) as { default: Templates };
  const { phrases, mails } = templates[mail.language];
  const filled = await VALUES[kind](facts, { ...mail, phrases });
  if (filled === null) return null;
  const { subject, text, html } = mails[filled.variant];
  return {
    subject: fillSubject(subject, filled.values),
    text: fillText(text, filled.values),
    html: fillHtml(html, filled.values),
  };
}
