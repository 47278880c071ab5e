import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { timestampSchema, uuidSchema } from "./primitives.ts";

/** A month of a workspace's ledger that adds up. */

export const statementQuery = z.object({
  month: z
    .string()
    .regex(/^[0-9]{4}-(0[1-9]|1[0-2])$/, "must be a month as 2026-06")
    .optional()
    .openapi({ description: "A UTC calendar month. When absent: the present one.", example: "2026-06" }),
});

const signed = (description: string) => z.int().openapi({ description });

const spending = {
  jobs: z.int().min(0).openapi({ description: "Jobs that were ordered in the month." }),
  consumed: z.int().min(0).openapi({ description: "Credits that they cost." }),
  refunded: z.int().min(0).openapi({ description: "Credits that were given back in the month, of any job." }),
  spent: z.int().openapi({
    description: "`consumed` less `refunded`; below zero where more was given back than ordered.",
  }),
};
const spendingSchema = z.object(spending).openapi("MonthOrders");

const paymentSchema = z
  .object({
    paymentId: z.string().openapi({ description: "The payment provider's id.", example: "pi_3SWb2c" }),
    kind: z
      .enum(["credits", "top-up", "plan"])
      .openapi({ description: "What was bought, or that it was automatic." }),
    offerId: z.string().openapi({ description: "The offer that was bought.", example: "credits-500" }),
    currency: z.string().openapi({ description: "ISO 4217, in lower case.", example: "eur" }),
    amount: z.int().openapi({ description: "What was paid, in the currency's smallest unit." }),
    credits: z.int().min(0).openapi({ description: "Credits that it bought; 0 of a plan." }),
    amountRefunded: z
      .int()
      .min(0)
      .openapi({ description: "Of the amount: what has been refunded until now." }),
    amountDisputed: z.int().min(0).openapi({ description: "Of the amount: what disputes hold back now." }),
    paidAt: timestampSchema.openapi({ description: "When it was paid, UTC." }),
    receiptUrl: z
      .string()
      .nullable()
      .openapi({ description: "The provider's receipt; null where there is none yet." }),
  })
  .openapi("StatementPayment");

const paymentTotalSchema = z
  .object({
    currency: z.string().openapi({ description: "ISO 4217, in lower case.", example: "eur" }),
    payments: z.int().min(1).openapi({ description: "How many." }),
    amount: z.int().openapi({ description: "What was paid, in the currency's smallest unit." }),
    amountRefunded: z.int().min(0).openapi({ description: "What has been refunded of it until now." }),
    amountDisputed: z.int().min(0).openapi({ description: "What disputes hold back of it now." }),
  })
  .openapi("PaymentTotal");

const ORDERS = { jobs: 31, consumed: 148, refunded: 8, spent: 140 };

export const statementSchema = z
  .object({
    workspaceId: uuidSchema,
    workspaceName: z.string().openapi({ description: "The workspace's name, as it is now." }),
    month: z.string().openapi({ description: "The UTC calendar month.", example: "2026-06" }),
    from: timestampSchema.openapi({ description: "When it begins." }),
    to: timestampSchema.openapi({ description: "When the next one begins." }),
    isOver: z.boolean().openapi({ description: "Whether it has ended: its sums of credits change no more." }),
    unit: z.literal("credit"),
    credits: z
      .object({
        opening: z.int().min(0).openapi({ description: "The balance when the month began." }),
        purchases: signed("What was bought."),
        grants: signed("What was granted otherwise."),
        consumption: signed("What orders took; at most zero."),
        refunds: signed("What was given back of orders."),
        adjustments: signed("What was put right, as after a refund of a payment."),
        expiries: signed("What expired; at most zero."),
        closing: z
          .int()
          .min(0)
          .openapi({ description: "The balance when it ended; that of now while it has not." }),
      })
      .openapi("MonthCredits", {
        description: "The balance's month: `opening` and what follows it add up to `closing`.",
      }),
    orders: spendingSchema.openapi({ description: "All orders of the month, whatever paid." }),
    ordersBySource: z
      .object({
        credits: spendingSchema,
        subscription: spendingSchema.openapi({ description: "Paid from a plan's quota." }),
        unlimited: spendingSchema,
      })
      .openapi("MonthOrdersBySource", { description: "The same by what paid; they add up to `orders`." }),
    contracts: z
      .array(
        z
          .object({
            contractId: z.string().openapi({ description: "What was ordered.", example: "display.v1" }),
            ...spending,
          })
          .openapi("MonthContract"),
      )
      .openapi({ description: "The same by contract; they add up to `orders`." }),
    payments: z.array(paymentSchema).openapi({
      description: `Payments of the month, oldest first: the first ${LIMITS.statementPaymentsMax}.`,
    }),
    paymentTotals: z.array(paymentTotalSchema).openapi({ description: "All of them, by currency." }),
  })
  .openapi("MonthStatement", {
    example: {
      workspaceId: "0199f0c1-5d2e-7a44-8f10-3c6b9e2d7a58",
      workspaceName: "Acme",
      month: "2026-06",
      from: "2026-06-01T00:00:00.000Z",
      to: "2026-07-01T00:00:00.000Z",
      isOver: true,
      unit: "credit",
      credits: {
        ...{ opening: 42, purchases: 500, grants: 0, consumption: -148, refunds: 8 },
        ...{ adjustments: 0, expiries: 0, closing: 402 },
      },
      orders: ORDERS,
      ordersBySource: {
        credits: ORDERS,
        subscription: { jobs: 0, consumed: 0, refunded: 0, spent: 0 },
        unlimited: { jobs: 0, consumed: 0, refunded: 0, spent: 0 },
      },
      contracts: [{ contractId: "display.v1", ...ORDERS }],
      payments: [
        {
          paymentId: "pi_3SWb2c",
          kind: "credits",
          offerId: "credits-500",
          currency: "eur",
          amount: 4900,
          credits: 500,
          amountRefunded: 0,
          amountDisputed: 0,
          paidAt: "2026-06-02T09:30:00.000Z",
          receiptUrl: null,
        },
      ],
      paymentTotals: [{ currency: "eur", payments: 1, amount: 4900, amountRefunded: 0, amountDisputed: 0 }],
    },
  });
export type MonthStatementView = z.infer<typeof statementSchema>;
