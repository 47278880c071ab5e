import type { BillingOffer, Payment } from "./types.ts";

/** Credits that a payment bought: of a plan those of its month, as the price list has it; null where it has it no more. */
export function creditsOf(
  { kind, credits, offerId }: Payment,
  offers: readonly BillingOffer[],
): number | null {
  if (kind !== "plan") return credits;
  return offers.find((offer) => offer.offerId === offerId)?.quota ?? null;
}
