import type { Offer } from "#platform/bindings/offers.ts";

/** What can be bought at the local Stripe. Names are what its pages show; sums are invented, in cents. */
interface LocalOffer {
  readonly name: string;
  readonly offer: Offer;
}

export const PRICE_LIST: readonly LocalOffer[] = [
  {
    name: "100 credits",
    offer: {
      offerId: "credits-100",
      kind: "credits",
      priceId: "price_local_credits_100",
      currency: "eur",
      amount: 900,
      credits: 100,
    },
  },
  {
    name: "500 credits",
    offer: {
      offerId: "credits-500",
      kind: "credits",
      priceId: "price_local_credits_500",
      currency: "eur",
      amount: 3_900,
      credits: 500,
    },
  },
  {
    name: "2,000 credits",
    offer: {
      offerId: "credits-2000",
      kind: "credits",
      priceId: "price_local_credits_2000",
      currency: "eur",
      amount: 12_900,
      credits: 2_000,
    },
  },
  {
    name: "Studio, 300 credits a month",
    offer: {
      offerId: "studio-300",
      kind: "plan",
      priceId: "price_local_studio_300",
      currency: "eur",
      amount: 1_900,
      quota: 300,
    },
  },
];

/** The price list as the variable BILLING_OFFERS takes it. */
export const LOCAL_OFFERS: string = JSON.stringify(PRICE_LIST.map(({ offer }) => offer));
