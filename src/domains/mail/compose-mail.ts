import type { MailKind, MailLanguage } from "#api/mail-rules.ts";
import { loadOnce } from "#platform/concurrency/load-once.ts";
import { fillHtml, fillSubject, fillText } from "./fill-template.ts";
import { VALUES, type ValueSources } from "./template-values.ts";
import type { Templates } from "./templates.ts";

// Most isolates never send a mail.
const loadTemplates = loadOnce(() => import("./templates.json"));

/** A mail to be composed: a row of the outbox, with its link decrypted. */
export interface MailToCompose extends Omit<ValueSources, "phrases"> {
  readonly kind: MailKind;
  readonly language: MailLanguage;
  readonly facts: unknown;
}

export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Composes a mail in its language, the same for the same row, so that a provider can tell a repetition. Null where its
 * facts are not those of its kind, or it lacks its link.
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
