/** Mail: its kinds and languages, how sending may fail, the retry schedule and all limits. */

export const MAIL_KINDS = [
  "confirm-address",
  "new-device",
  "reset-password",
  "address-changed",
  "invitation",
  "balance-low",
  "top-up-failed",
  "packs-failed",
  "receipt",
  "approval-asked",
  "approval-given",
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** The languages of the Studio. */
export const MAIL_LANGUAGES = ["en", "de"] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/**
 * `REFUSED`: the provider does not take it, now or later. `EXHAUSTED`: every attempt failed. `EXPIRED`: it was of no use
 * any more. `UNREADABLE`: its link cannot be decrypted.
 */
export const MAIL_FAILURE_CODES = ["REFUSED", "EXHAUSTED", "EXPIRED", "UNREADABLE"] as const;
export type MailFailureCode = (typeof MAIL_FAILURE_CODES)[number];

/** Seconds from a failed attempt to the next one. A mail without a next one has failed. */
export const MAIL_BACKOFF_SECONDS: readonly number[] = [10, 60, 300, 1_800, 7_200, 21_600];
export const MAIL_ATTEMPTS_MAX = MAIL_BACKOFF_SECONDS.length + 1;

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** So many mails of these kinds an address is written in a window that ends now. */
export interface MailWindow {
  readonly kinds: readonly MailKind[];
  readonly windowMs: number;
  readonly mailsMax: number;
}

/** Anybody who knows an address can ask for these; strangers for fewer than these windows hold (`mail-address`). */
const ASKED_FOR: readonly MailKind[] = ["confirm-address", "reset-password"];
/** Any member of any workspace can have these sent to any address. */
const FROM_OTHERS: readonly MailKind[] = ["invitation", "approval-asked"];
/** Any visitor with a share link can cause these. */
const FROM_VISITORS: readonly MailKind[] = ["approval-given"];
/** They tell of what an intruder may have done: nobody may use them up by having other mail sent. */
const SECURITY: readonly MailKind[] = ["new-device", "address-changed"];
/** Each stands for a payment. */
const MONEY: readonly MailKind[] = ["receipt", "top-up-failed"];
/** With a window of their own alone. */
const APART: readonly MailKind[] = [...SECURITY, ...MONEY];

/**
 * What one address is sent at most, so that the service is no lever against a mailbox. The kinds that strangers can cause
 * have windows of their own; together they leave most of a day's mails to the rest. The triggers of migrations/0021 hold
 * the day's limit as well.
 */
export const MAIL_WINDOWS: readonly MailWindow[] = [
  { kinds: ASKED_FOR, windowMs: HOUR_MS, mailsMax: 15 },
  { kinds: ASKED_FOR, windowMs: DAY_MS, mailsMax: 20 },
  { kinds: FROM_OTHERS, windowMs: DAY_MS, mailsMax: 10 },
  { kinds: FROM_VISITORS, windowMs: DAY_MS, mailsMax: 30 },
  { kinds: SECURITY, windowMs: DAY_MS, mailsMax: 20 },
  { kinds: MONEY, windowMs: DAY_MS, mailsMax: 100 },
  { kinds: MAIL_KINDS.filter((kind) => !APART.includes(kind)), windowMs: DAY_MS, mailsMax: 100 },
];

export const MAIL_LIMITS = {
  /** One request to a provider: connection, upload and response. */
  providerTimeoutMs: 15_000,
  /** Longer than an attempt: reads, one request, and its result. */
  leaseMs: 2 * 60_000,
  /** How much of a provider's response is read. */
  answerBytesMax: 16_384,
  /** A provider's report. Resend's are about 2 KB. */
  reportBytesMax: 65_536,
  /** How long a mail that has ended can be read by operators, without its link. */
  retentionMs: 30 * DAY_MS,
} as const;
