import type { Phrases, VariantId } from "#domains/mail/templates.ts";

/** Texts of one email variant in one language. Every text may have `{{placeholders}}`. */
export interface MailWords {
  readonly subject: string;
  /** Preview text that mail programs show beside the subject. */
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** A name or message that another person wrote. */
  readonly quote?: string;
  readonly rows?: readonly { readonly label: string; readonly value: string }[];
  /** Label of the button, which links to `{{link}}`. */
  readonly button?: string;
  /** Text below the button. */
  readonly note?: string;
  /** Reason why the recipient gets this email. */
  readonly why: string;
}

export interface LanguageWords {
  readonly mails: Readonly<Record<VariantId, MailWords>>;
  readonly phrases: Phrases;
  /** Text before the button's address, for readers whose button does not work. */
  readonly addressOfButton: string;
}
