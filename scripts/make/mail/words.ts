import type { Phrases, VariantId } from "#domains/mail/templates.ts";

/** What one variant of a mail says, in one language. Every text may have `{{placeholders}}`. */
export interface MailWords {
  readonly subject: string;
  /** Shown beside the subject in a list of mails. */
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Other people's words or names, set apart. */
  readonly quote?: string;
  readonly rows?: readonly { readonly label: string; readonly value: string }[];
  /** Leads to `{{link}}`. */
  readonly button?: string;
  /** After the button. */
  readonly note?: string;
  /** Why the recipient gets it. */
  readonly why: string;
}

export interface LanguageWords {
  readonly mails: Readonly<Record<VariantId, MailWords>>;
  readonly phrases: Phrases;
  /** Before the address of the button, for whoever cannot press it. */
  readonly addressOfButton: string;
}
