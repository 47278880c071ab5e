import { z } from "zod";

/** The operator's price list, from the variable BILLING_OFFERS. */

const common = {
  offerId: z.string().regex(/^[a-z0-9-]{1,40}$/),
  /** The price's id at Stripe, with the currency and amount below. */
  priceId: z.string().min(1).max(100),
  /** ISO 4217, lower case. */
  currency: z.string().regex(/^[a-z]{3}$/),
  /** In the currency's minor unit. */
  amount: z.int().min(1).max(100_000_000),
};

const offerSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("credits"), ...common, credits: z.int().min(1).max(1_000_000) }),
  /** Paid monthly; the quota is per month. */
  z.strictObject({ kind: z.literal("plan"), ...common, quota: z.int().min(1).max(1_000_000) }),
]);

const OFFERS_MAX = 20;
const offersSchema = z
  .array(offerSchema)
  .min(1)
  .max(OFFERS_MAX)
  .refine((offers) => new Set(offers.map(({ offerId }) => offerId)).size === offers.length);

export type Offer = Readonly<z.infer<typeof offerSchema>>;
export type CreditOffer = Extract<Offer, { kind: "credits" }>;
export type PlanOffer = Extract<Offer, { kind: "plan" }>;

/** Parses the variable: JSON, as text or already parsed by wrangler. Null if missing or invalid. */
export function readOffers(setting: unknown): readonly Offer[] | null {
  const parsed = offersSchema.safeParse(typeof setting === "string" ? parseJson(setting) : setting);
  return parsed.success ? parsed.data : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
