import { expect, it } from "vitest";
import { moneyText, monthlyMaximum, priceOfOne } from "../../studio/src/billing/money.ts";

/** Amounts are formatted like the payment provider's, and automatic purchases never cost more than shown. */

/** Replaces non-breaking spaces, which browsers put between the amount and the currency sign. */
const plain = (text: string): string => text.replace(/\s/g, " ");

it.each([
  ["en", "eur", 5450, "€54.50"],
  ["de", "eur", 5450, "54,50 €"],
  ["en", "usd", 120000, "$1,200.00"],
  ["en", "jpy", 1200, "¥1,200"],
  ["en", "kwd", 12500, "KWD 12.500"],
  // Stripe states krónur in hundredths, although the currency has none.
  ["en", "isk", 120000, "ISK 1,200.00"],
])("%s: %s %d is %s", (language, currency, amount, text) => {
  expect(plain(moneyText(language, currency, amount))).toBe(text);
});

it("the unit price is shown to a tenth of a cent", () => {
  expect(plain(priceOfOne("en", "eur", 5450, 500))).toBe("€0.109");
  expect(plain(priceOfOne("de", "eur", 1200, 100))).toBe("0,12 €");
});

it.each([
  [300, 3, 3600],
  [299, 2, 2400],
  [99, 0, 0],
  [Number.NaN, 0, 0],
])("a cap of %d credits a month is %d packs of 100, for %d", (creditsMax, purchases, amount) => {
  expect(monthlyMaximum({ credits: 100, amount: 1200 }, creditsMax)).toEqual({ purchases, amount });
});
