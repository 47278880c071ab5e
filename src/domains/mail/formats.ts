import type { MailLanguage } from "#api/mail-rules.ts";
import type { Phrases } from "./templates.ts";

/** Numbers, times and sums in the language of a mail. */

const LOCALES: Readonly<Record<MailLanguage, string>> = { en: "en-GB", de: "de-DE" };

/** A time as people write it. In UTC: nothing tells where a recipient is. */
export const formatMoment = (language: MailLanguage, timeMs: number): string =>
  `${new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(timeMs)} UTC`;

/** Of these Stripe takes whole units, https://docs.stripe.com/currencies#zero-decimal */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(
  "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "),
);
/** Of these it takes thousandths, https://docs.stripe.com/currencies#three-decimal */
const WITH_THREE_DECIMALS: ReadonlySet<string> = new Set("BHD JOD KWD OMR TND".split(" "));

/** A sum from the unit in which Stripe counts it. */
export function formatAmount(language: MailLanguage, amount: number, currencyCode: string): string {
  const currency = currencyCode.toUpperCase();
  const decimals = WITHOUT_DECIMALS.has(currency) ? 0 : WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
  return new Intl.NumberFormat(LOCALES[language], { style: "currency", currency }).format(
    amount / 10 ** decimals,
  );
}

export const formatCount = (language: MailLanguage, count: number): string =>
  new Intl.NumberFormat(LOCALES[language]).format(count);

/** A number of credits with its noun. */
export const formatCredits = (language: MailLanguage, phrases: Phrases, credits: number): string =>
  (credits === 1 ? phrases.creditOne : phrases.creditOther).replace(
    "{{count}}",
    formatCount(language, credits),
  );
