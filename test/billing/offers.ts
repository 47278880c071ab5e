import type { CreditOffer, PlanOffer } from "#platform/bindings/offers.ts";

/** The offers of the tests. Uneven amounts reveal rounding. */

export const CREDIT_OFFERS: readonly CreditOffer[] = [
  {
    kind: "credits",
    offerId: "credits-100",
    priceId: "price_100",
    currency: "eur",
    amount: 1_000,
    credits: 100,
  },
  { kind: "credits", offerId: "credits-7", priceId: "price_7", currency: "eur", amount: 999, credits: 7 },
  { kind: "credits", offerId: "credits-31", priceId: "price_31", currency: "eur", amount: 1, credits: 31 },
];

export const PLAN_OFFERS: readonly PlanOffer[] = [
  { kind: "plan", offerId: "plan-20", priceId: "price_plan_20", currency: "eur", amount: 2_000, quota: 20 },
  { kind: "plan", offerId: "plan-50", priceId: "price_plan_50", currency: "eur", amount: 4_500, quota: 50 },
];

export const WEBHOOK_SECRET = "whsec_tests_0123456789abcdef0123456789abcdef";

/** Settings of an origin with these offers. */
export const BILLING_SETTINGS = {
  STRIPE_SECRET_KEY: "sk_test_0123456789abcdef0123456789abcdef",
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  BILLING_OFFERS: JSON.stringify([...CREDIT_OFFERS, ...PLAN_OFFERS]),
} as const;
