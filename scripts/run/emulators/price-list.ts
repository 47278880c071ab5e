/** Offers at the local Stripe; amounts are invented, in cents. */
import type { Offer } from "#platform/bindings/offers.ts";

const credits = (amount: number, count: number): Offer => ({
  offerId: `credits-${count}`,
  kind: "credits",
  priceId: `price_local_credits_${count}`,
  currency: "eur",
  amount,
  credits: count,
});

export const PRICE_LIST: readonly Offer[] = [
  credits(900, 100),
  credits(3_900, 500),
  credits(12_900, 2_000),
  {
    offerId: "studio-300",
    kind: "plan",
    priceId: "price_local_studio_300",
    currency: "eur",
    amount: 1_900,
    quota: 300,
  },
];

/** The price list in the format of the variable BILLING_OFFERS. */
export const LOCAL_OFFERS: string = JSON.stringify(PRICE_LIST);
