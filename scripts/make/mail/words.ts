import type { Phrases, VariantId } from "#domains/mail/templates.ts";

/** Text of one email variant in one language. Every text may contain `{{placeholders}}`. */
export interface MailWords {
  readonly subject: string;
  /** Preview text next to the subject. */
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Quoted text or names of other people. */
  readonly quote?: string;
  readonly rows?: readonly { readonly label: string; readonly value: string }[];
  /** Links to `{{link}}`. */
  readonly button?: string;
  /** Below the button. */
  readonly note?: string;
  /** Why the recipient gets this email. */
  readonly why: string;
}

export interface LanguageWords {
  readonly mails: Readonly<Record<VariantId, MailWords>>;
  readonly phrases: Phrases;
  /** Before the button's URL, for people who cannot use the button. */
  readonly addressOfButton: string;
}
