import { keptOf, type ProviderPayment } from "./provider-payments.ts";

/** Credits that a payment is good for: of what it bought, the share of its money that was kept (src/domains/billing/README.md). */
export const entitledTo = (payment: ProviderPayment): number =>
  Math.floor((payment.credits * keptOf(payment)) / payment.intent.amount);
