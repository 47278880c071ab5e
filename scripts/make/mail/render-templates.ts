import { render, toPlainText } from "@react-email/render";
import { createElement } from "react";
import { MAIL_LANGUAGES, type MailLanguage } from "#api/mail-rules.ts";
import { type MailTemplate, type Templates, VARIANT_IDS, type VariantId } from "#domains/mail/templates.ts";
import { Mail } from "./layout.tsx";
import type { LanguageWords } from "./words.ts";
import de from "./words-de.json";
import en from "./words-en.json";

const WORDS: Readonly<Record<MailLanguage, LanguageWords>> = { en, de };

/** Options of the plain-text rendering: headings are not in capitals, and each row of a receipt is a line. */
const AS_TEXT = {
  selectors: [
    { selector: "h1", options: { uppercase: false } },
    { selector: "p.line", format: "paragraph", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: "a", options: { linkBrackets: false, hideLinkHrefIfSameAsText: true } },
  ],
};

async function renderTemplate(language: MailLanguage, variant: VariantId): Promise<MailTemplate> {
  const { mails, addressOfButton } = WORDS[language];
  const words = mails[variant];
  const html = await render(createElement(Mail, { language, words, addressOfButton }));
  return { subject: words.subject, text: toPlainText(html, AS_TEXT).trim(), html };
}

/** All templates, with the phrases for some of their placeholders. */
export default async function renderTemplates(): Promise<Templates> {
  const rendered = await Promise.all(
    MAIL_LANGUAGES.map(async (language) => {
      const mails = await Promise.all(
        VARIANT_IDS.map(async (variant) => [variant, await renderTemplate(language, variant)] as const),
      );
      return [language, { phrases: WORDS[language].phrases, mails: Object.fromEntries(mails) }] as const;
    }),
  );
  return Object.fromEntries(rendered) as Templates;
}
