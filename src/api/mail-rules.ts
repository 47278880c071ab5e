/** What kinds of mail there are, in which languages, and how the sending of one may fail. */

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
