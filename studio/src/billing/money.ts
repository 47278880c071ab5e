import { useTranslation } from "react-i18next";

/**
 * Currencies whose amounts Stripe states in whole units, and in thousandths. All other currencies are in hundredths.
 * https://docs.stripe.com/currencies#zero-decimal
 */
const WHOLE = new Set("bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" "));
const THOUSANDTHS = new Set(["bhd", "jod", "kwd", "omr", "tnd"]);

function decimalsOf(currency: string): number {
  if (WHOLE.has(currency)) return 0;
  return THOUSANDTHS.has(currency) ? 3 : 2;
}

function formatMoney(language: string, currency: string, amount: number, moreDecimals = 0): string {
  const decimals = decimalsOf(currency);
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals + moreDecimals,
  }).format(amount / 10 ** decimals);
}

/** Formats an amount of money. `amount`: in the currency's minor unit; `currency`: ISO 4217, lower case. */
export const moneyText = (language: string, currency: string, amount: number): string =>
  formatMoney(language, currency, amount);

/**
 * Formats the price of one unit, such as a credit, with one more decimal than other amounts. `amount`: price of `count`
 * units.
 */
export const priceOfOne = (language: string, currency: string, amount: number, count: number): string =>
  formatMoney(language, currency, amount / count, 1);

/**
 * Maximum cost of automatic top-ups in a calendar month: as many whole credit packs as the monthly limit allows.
 * `amount`: in the currency's minor unit.
 */
export function monthlyMaximum(
  pack: { readonly credits: number; readonly amount: number },
  creditsMax: number,
): { readonly purchases: number; readonly amount: number } {
  const purchases =
    pack.credits > 0 && Number.isFinite(creditsMax) ? Math.max(0, Math.floor(creditsMax / pack.credits)) : 0;
  return { purchases, amount: purchases * pack.amount };
}

/** Formats sums and numbers in the user's language. */
export function useMoney() {
  const { i18n } = useTranslation();
  const numbers = new Intl.NumberFormat(i18n.language);
  return {
    money: (currency: string, amount: number): string => moneyText(i18n.language, currency, amount),
    priceOfOne: (currency: string, amount: number, count: number): string =>
      priceOfOne(i18n.language, currency, amount, count),
    number: (value: number): string => numbers.format(value),
  };
}
