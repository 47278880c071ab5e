/** Email: kinds and languages, failures, the retry schedule and all limits. */

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

/** The Studio's languages. */
export const MAIL_LANGUAGES = ["en", "de"] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

/**
 * `REFUSED`: the provider rejects it for good. `EXHAUSTED`: every attempt failed. `EXPIRED`: no longer useful.
 * `UNREADABLE`: its link cannot be decrypted.
 */
export const MAIL_FAILURE_CODES = ["REFUSED", "EXHAUSTED", "EXPIRED", "UNREADABLE"] as const;
export type MailFailureCode = (typeof MAIL_FAILURE_CODES)[number];

/** Seconds from a failed attempt to the next. After the last attempt the email has failed. */
export const MAIL_BACKOFF_SECONDS: readonly number[] = [10, 60, 300, 1_800, 7_200, 21_600];
export const MAIL_ATTEMPTS_MAX = MAIL_BACKOFF_SECONDS.length + 1;

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Maximum emails of these kinds per address in a sliding window. */
export interface MailWindow {
  readonly kinds: readonly MailKind[];
  readonly windowMs: number;
  readonly mailsMax: number;
}

/** Anyone who knows an address can request these. People without a session get fewer (`mail-address`). */
const ASKED_FOR: readonly MailKind[] = ["confirm-address", "reset-password"];
/** Any member of any workspace can send these to any address. */
const FROM_OTHERS: readonly MailKind[] = ["invitation", "approval-asked"];
/** Any visitor with a share link can cause these. */
const FROM_VISITORS: readonly MailKind[] = ["approval-given"];
/** Warnings about possible intruders. Other emails must not use up their limit. */
const SECURITY: readonly MailKind[] = ["new-device", "address-changed"];
/** Each is caused by a payment. */
const MONEY: readonly MailKind[] = ["receipt", "top-up-failed"];
/** Kinds that count only in their own window, not in the general one. */
const APART: readonly MailKind[] = [...SECURITY, ...MONEY];

/**
 * Limits per address, so that the service cannot flood a mailbox. Kinds that strangers can cause have their own
 * windows, so that together they use up less than the daily limit. The triggers of migrations/0021 also enforce the
 * daily limit.
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
  /** Longer than an attempt, which reads rows, sends one request and writes its result. */
  leaseMs: 2 * 60_000,
  /** Maximum bytes read of a provider's response. */
  answerBytesMax: 16_384,
  /** Maximum bytes of a provider's report. Resend's are about 2 KB. */
  reportBytesMax: 65_536,
  /** How long operators can read a sent or failed email, without its link. */
  retentionMs: 30 * DAY_MS,
} as const;
