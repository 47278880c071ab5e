import { z } from "@hono/zod-openapi";
import { limitQuery, pageOf, timestampSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** What is bought at the payment provider, as the people of a workspace see it. */

export const receivedEventSchema = z
  .object({
    outcome: z.enum(["applied", "ignored", "waiting", "refused"]).openapi({
      description:
        "`waiting`: it is about a payment that is not known yet, and is applied with it. `refused`: money for no order as " +
        "it was ordered; nothing was granted.",
    }),
  })
  .openapi("ReceivedEvent", { example: { outcome: "applied" } });

const currencySchema = z.string().openapi({ description: "ISO 4217, lower case.", example: "eur" });
const sumSchema = z.int().min(0).openapi({ description: "In the currency's minor unit.", example: 3_900 });
const kindSchema = z.enum(["credits", "plan"]);
const OFFER_ID = "credits-500";

const offerSchema = z
  .object({
    offerId: z.string(),
    kind: kindSchema.openapi({
      description: "A plan is paid each month; its quota is that of the paid month.",
    }),
    credits: z.int().nullable().openapi({ description: "What it buys; null for a plan." }),
    quota: z.int().nullable().openapi({ description: "Credits a month; null for credits." }),
    currency: currencySchema,
    amount: sumSchema,
  })
  .openapi("Offer", {
    example: {
      offerId: OFFER_ID,
      kind: "credits",
      credits: 500,
      quota: null,
      currency: "eur",
      amount: 3_900,
    },
  });

const planSchema = z
  .object({
    offerId: z.string().nullable().openapi({ description: "Null where the price list no longer has it." }),
    quota: z.int(),
    used: z.int(),
    periodStart: timestampSchema,
    periodEnd: timestampSchema,
    cancelAt: timestampSchema.nullable().openapi({ description: "When it ends, where it was cancelled." }),
  })
  .openapi("Plan", {
    example: {
      offerId: "studio-300",
      quota: 300,
      used: 42,
      periodStart: "2026-06-01T12:00:00.000Z",
      periodEnd: "2026-07-01T12:00:00.000Z",
      cancelAt: null,
    },
  });

export const topUpSchema = z
  .object({
    offerId: z.string(),
    credits: z.int().openapi({ description: "What one purchase buys." }),
    belowCredits: z.int().openapi({ description: "A balance below this buys." }),
    monthlyCreditsMax: z
      .int()
      .openapi({ description: "Credits that it may buy in a calendar month, in UTC." }),
    boughtThisMonth: z.int(),
    status: z.enum(["active", "paused"]).openapi({
      description: "`paused`: a payment failed. It goes on once its owner sets it again.",
    }),
  })
  .openapi("TopUp", {
    example: {
      offerId: OFFER_ID,
      credits: 500,
      belowCredits: 50,
      monthlyCreditsMax: 2_000,
      boughtThisMonth: 500,
      status: "active",
    },
  });

export type TopUpView = z.infer<typeof topUpSchema>;

const CREDITS_MAX = 1_000_000;

export const topUpBody = strictBody({
  offerId: z.string().min(1).max(40).openapi({ description: "An offer of credits.", example: OFFER_ID }),
  belowCredits: z
    .int()
    .min(1)
    .max(CREDITS_MAX)
    .openapi({ description: "A balance below this buys.", example: 50 }),
  monthlyCreditsMax: z.int().min(1).max(CREDITS_MAX).openapi({
    description: "Credits that may be bought so in a calendar month, in UTC: at least those of one purchase.",
    example: 2_000,
  }),
}).openapi("SetTopUp");

export const removedTopUpSchema = z.object({ removed: z.literal(true) }).openapi("RemovedTopUp");

const lowBalanceSchema = z.int().min(0).max(1_000_000).openapi({
  description: "A balance that falls below so many credits is mailed to the owner; 0 for never.",
  example: 10,
});

export const billingSchema = z
  .object({
    offers: z.array(offerSchema),
    hasCustomer: z.boolean().openapi({ description: "Whether something was bought, or begun to be." }),
    plan: planSchema.nullable(),
    topUp: topUpSchema.nullable(),
    lowBalanceBelow: lowBalanceSchema,
    creditsOwed: z.int().openapi({
      description:
        "Credits that were spent before their payment was refunded or disputed. Purchases pay them off first.",
    }),
  })
  .openapi("Billing");
export type BillingView = z.infer<typeof billingSchema>;

export const noticesBody = strictBody({ lowBalanceBelow: lowBalanceSchema }).openapi("SetNotices");
export const noticesSchema = z.object({ lowBalanceBelow: lowBalanceSchema }).openapi("Notices");

export const checkoutBody = strictBody({
  offerId: z
    .string()
    .min(1)
    .max(40)
    .openapi({ description: "One that the workspace's billing lists.", example: OFFER_ID }),
}).openapi("CreateCheckout");

export const providerPageSchema = z
  .object({ url: z.url().openapi({ description: "A page of the payment provider. Lead the person there." }) })
  .openapi("ProviderPage", { example: { url: "https://checkout.stripe.com/c/pay/cs_live_a1" } });

const paymentSchema = z
  .object({
    paymentId: z.string(),
    kind: z.enum(["credits", "top-up", "plan"]),
    offerId: z.string(),
    amount: sumSchema,
    currency: currencySchema,
    credits: z.int().openapi({ description: "What it bought; 0 of a plan." }),
    amountRefunded: sumSchema,
    amountDisputed: sumSchema,
    creditsOwed: z.int(),
    paidAt: timestampSchema,
    receiptUrl: z.string().nullable().openapi({ description: "The provider's page of the receipt." }),
    periodStart: timestampSchema.nullable().openapi({ description: "Of a plan: the period that it paid." }),
    periodEnd: timestampSchema.nullable(),
  })
  .openapi("Payment", {
    example: {
      paymentId: "pi_3Rc1ZmQ2eZvKYlo2",
      kind: "credits",
      offerId: OFFER_ID,
      amount: 3_900,
      currency: "eur",
      credits: 500,
      amountRefunded: 0,
      amountDisputed: 0,
      creditsOwed: 0,
      paidAt: "2026-06-18T12:00:00.000Z",
      receiptUrl: "https://pay.stripe.com/receipts/payment/1",
      periodStart: null,
      periodEnd: null,
    },
  });
export type PaymentView = z.infer<typeof paymentSchema>;

export const paymentPageSchema = pageOf(paymentSchema).openapi("PaymentPage");

export const paymentsQuery = z.object({
  limit: limitQuery,
  before: z
    .string()
    .regex(/^(pi|in)_[A-Za-z0-9_]{1,250}$/, "must be the id of a payment, as nextBefore gives it")
    .optional()
    .openapi({ description: "`nextBefore` of the previous page.", example: "pi_3Rc1ZmQ2eZvKYlo2" }),
});
