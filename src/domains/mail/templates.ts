import type { MailLanguage } from "#api/mail-rules.ts";

/** Templates by kind of mail; some kinds have variants. */

export const VARIANT_IDS = [
  "confirm-address",
  "new-device",
  "reset-password",
  "address-changed",
  "invitation",
  "balance-low",
  "top-up-failed",
  "packs-failed.one",
  "packs-failed.other",
  "receipt.credits",
  "receipt.top-up",
  "receipt.plan",
  "approval-asked",
  "approval-asked.message",
  "approval-given.approved",
  "approval-given.changes-requested",
  "approval-given.changes-requested.sizes",
] as const;
export type VariantId = (typeof VARIANT_IDS)[number];

/** Subject and both parts of a mail, with `{{placeholders}}`. */
export interface MailTemplate {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Texts for placeholders, with the placeholder `{{count}}`. */
export interface Phrases {
  readonly creditOne: string;
  readonly creditOther: string;
  readonly more: string;
  /** Shown for a pack without a name. */
  readonly unnamedPack: string;
  /**
   * Reasons why a card was declined, by Stripe's code (https://docs.stripe.com/declines/codes); `other` for the rest.
   */
  readonly declines: Readonly<Record<string, string>> & { readonly other: string };
}

/** The file templates.json, written by scripts/make/mail.ts. */
export type Templates = Readonly<
  Record<
    MailLanguage,
    { readonly phrases: Phrases; readonly mails: Readonly<Record<VariantId, MailTemplate>> }
  >
>;
