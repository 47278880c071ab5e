import { useTranslation } from "react-i18next";
import { moneyText, priceOfOne } from "./money.ts";

/** Writes sums and numbers in the person's language. */
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
