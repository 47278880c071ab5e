import type { Phrases, VariantId } from "#domains/mail/templates.ts";

/** Texts of one email variant in one language. Every text may have `{{placeholders}}`. */
export interface MailWords {
  readonly subject: string;
  /** Shown beside the subject in a list of emails. */
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Quoted names or messages of other people. */
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
  /** Before the button's address, for readers whose button does not work. */
  readonly addressOfButton: string;
}
