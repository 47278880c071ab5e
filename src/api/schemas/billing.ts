import { z } from "@hono/zod-openapi";
import { limitQuery, pageOf, timestampSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** Purchases at the payment provider, as members of a workspace see them. */

export const receivedEventSchema = z
  .object({
    outcome: z.enum(["applied", "ignored", "waiting", "refused"]).openapi({
      description:
        "`waiting`: the event's payment is not known yet; the event is applied later, with the payment. `refused`: the " +
        "payment matches no order; nothing was granted.",
    }),
  })
  .openapi("ReceivedEvent", { example: { outcome: "applied" } });

const currencySchema = z.string().openapi({ description: "ISO 4217 code, in lower case.", example: "eur" });
const sumSchema = z
  .int()
  .min(0)
  .openapi({ description: "Amount in the smallest unit of the currency.", example: 3_900 });
const kindSchema = z.enum(["credits", "plan"]);
const OFFER_ID = "credits-500";

const offerSchema = z
  .object({
    offerId: z.string(),
    kind: kindSchema.openapi({
      description: "`plan` is paid monthly and has a quota per paid month; `credits` is paid once.",
    }),
    credits: z.int().nullable().openapi({ description: "Credits bought; null for a plan." }),
    quota: z.int().nullable().openapi({ description: "Credits per month; null for credits." }),
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
    offerId: z
      .string()
      .nullable()
      .openapi({ description: "Id of the offer; null if the price list no longer has it." }),
    quota: z.int(),
    used: z.int(),
    periodStart: timestampSchema,
    periodEnd: timestampSchema,
    cancelAt: timestampSchema
      .nullable()
      .openapi({ description: "When the plan ends, if it was canceled; otherwise null." }),
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
    credits: z.int().openapi({ description: "Credits per purchase." }),
    belowCredits: z.int().openapi({ description: "A purchase is made when the balance is below this." }),
    monthlyCreditsMax: z
      .int()
      .openapi({ description: "Maximum credits bought automatically per UTC calendar month." }),
    boughtThisMonth: z.int(),
    status: z.enum(["active", "paused"]).openapi({
      description: "`paused`: a payment failed. Setting the automatic purchase again resumes it.",
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
    .openapi({ description: "A purchase is made when the balance is below this.", example: 50 }),
  monthlyCreditsMax: z.int().min(1).max(CREDITS_MAX).openapi({
    description:
      "Maximum credits bought automatically per UTC calendar month; at least the credits of one purchase.",
    example: 2_000,
  }),
}).openapi("SetTopUp");

export const removedTopUpSchema = z.object({ removed: z.literal(true) }).openapi("RemovedTopUp");

const lowBalanceSchema = z.int().min(0).max(1_000_000).openapi({
  description: "The owner gets an email when the balance falls below this; 0 turns it off.",
  example: 10,
});

export const billingSchema = z
  .object({
    offers: z.array(offerSchema),
    hasCustomer: z.boolean().openapi({ description: "Whether the workspace has ever started a purchase." }),
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
    .openapi({ description: "An offer in the workspace's billing.", example: OFFER_ID }),
}).openapi("CreateCheckout");

export const providerPageSchema = z
  .object({
    url: z.url().openapi({ description: "Page of the payment provider. Redirect the browser there." }),
  })
  .openapi("ProviderPage", { example: { url: "https://checkout.stripe.com/c/pay/cs_live_a1" } });

const paymentSchema = z
  .object({
    paymentId: z.string(),
    kind: z.enum(["credits", "top-up", "plan"]),
    offerId: z.string(),
    amount: sumSchema,
    currency: currencySchema,
    credits: z.int().openapi({ description: "Credits bought; 0 for a plan." }),
    amountRefunded: sumSchema.openapi({ description: "Part of the amount refunded so far." }),
    amountDisputed: sumSchema.openapi({ description: "Part of the amount currently in dispute." }),
    creditsOwed: z.int(),
    paidAt: timestampSchema,
    receiptUrl: z
      .string()
      .nullable()
      .openapi({ description: "URL of the provider's receipt; null if there is none yet." }),
    periodStart: timestampSchema
      .nullable()
      .openapi({ description: "Start of the paid period of a plan, UTC; null for credits." }),
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
