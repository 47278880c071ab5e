import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { timestampSchema, uuidSchema } from "./primitives.ts";

/** A month of a workspace's ledger, from opening to closing balance. */

export const statementQuery = z.object({
  month: z
    .string()
    .regex(/^[0-9]{4}-(0[1-9]|1[0-2])$/, "must be a month as 2026-06")
    .optional()
    .openapi({ description: "UTC calendar month. Default: the current month.", example: "2026-06" }),
});

const signed = (description: string) => z.int().openapi({ description });

const spending = {
  jobs: z.int().min(0).openapi({ description: "Jobs ordered in the month." }),
  consumed: z.int().min(0).openapi({ description: "Cost of these jobs in credits." }),
  refunded: z.int().min(0).openapi({ description: "Credits refunded in the month, for jobs of any month." }),
  spent: z.int().openapi({
    description: "`consumed` less `refunded`; negative if more was refunded than ordered.",
  }),
};
const spendingSchema = z.object(spending).openapi("MonthOrders");

const paymentSchema = z
  .object({
    paymentId: z
      .string()
      .openapi({ description: "Id of the payment at the provider.", example: "pi_3SWb2c" }),
    kind: z
      .enum(["credits", "top-up", "plan"])
      .openapi({ description: "What was bought; `top-up` is an automatic purchase of credits." }),
    offerId: z
      .string()
      .openapi({ description: "Id of the offer in the price list.", example: "credits-500" }),
    currency: z.string().openapi({ description: "ISO 4217 code, in lower case.", example: "eur" }),
    amount: z.int().openapi({ description: "Amount paid, in the smallest unit of the currency." }),
    credits: z.int().min(0).openapi({ description: "Credits bought; 0 for a plan." }),
    amountRefunded: z.int().min(0).openapi({ description: "Part of the amount refunded so far." }),
    amountDisputed: z.int().min(0).openapi({ description: "Part of the amount currently in dispute." }),
    paidAt: timestampSchema.openapi({ description: "Time of payment, UTC." }),
    receiptUrl: z
      .string()
      .nullable()
      .openapi({ description: "URL of the provider's receipt; null if there is none yet." }),
  })
  .openapi("StatementPayment");

const paymentTotalSchema = z
  .object({
    currency: z.string().openapi({ description: "ISO 4217 code, in lower case.", example: "eur" }),
    payments: z.int().min(1).openapi({ description: "Number of payments." }),
    amount: z.int().openapi({ description: "Amount paid, in the smallest unit of the currency." }),
    amountRefunded: z.int().min(0).openapi({ description: "Part of the amount refunded so far." }),
    amountDisputed: z.int().min(0).openapi({ description: "Part of the amount currently in dispute." }),
  })
  .openapi("PaymentTotal");

const ORDERS = { jobs: 31, consumed: 148, refunded: 8, spent: 140 };

export const statementSchema = z
  .object({
    workspaceId: uuidSchema,
    workspaceName: z.string().openapi({ description: "Current name of the workspace." }),
    month: z.string().openapi({ description: "UTC calendar month.", example: "2026-06" }),
    from: timestampSchema.openapi({ description: "Start of the month." }),
    to: timestampSchema.openapi({ description: "Start of the next month." }),
    isOver: z
      .boolean()
      .openapi({ description: "Whether the month has ended. Its credits then no longer change." }),
    unit: z.literal("credit"),
    credits: z
      .object({
        opening: z.int().min(0).openapi({ description: "Balance at the start of the month." }),
        purchases: signed("Credits bought."),
        grants: signed("Credits granted otherwise."),
        consumption: signed("Credits consumed by jobs; zero or negative."),
        refunds: signed("Credits refunded for jobs."),
        adjustments: signed("Corrections, for example after the refund of a payment."),
        expiries: signed("Credits expired; zero or negative."),
        closing: z
          .int()
          .min(0)
          .openapi({ description: "Balance at the end of the month, or now if it has not ended." }),
      })
      .openapi("MonthCredits", {
        description: "Changes of the balance: `opening` plus all changes equals `closing`.",
      }),
    orders: spendingSchema.openapi({
      description: "All jobs ordered in the month, with any means of payment.",
    }),
    ordersBySource: z
      .object({
        credits: spendingSchema,
        subscription: spendingSchema.openapi({ description: "Paid from a plan's quota." }),
        unlimited: spendingSchema,
      })
      .openapi("MonthOrdersBySource", { description: "`orders`, split by means of payment." }),
    contracts: z
      .array(
        z
          .object({
            contractId: z.string().openapi({ description: "Contract of the jobs.", example: "display.v1" }),
            ...spending,
          })
          .openapi("MonthContract"),
      )
      .openapi({ description: "`orders`, split by contract." }),
    payments: z.array(paymentSchema).openapi({
      description: `Payments of the month, oldest first; at most ${LIMITS.statementPaymentsMax}.`,
    }),
    paymentTotals: z
      .array(paymentTotalSchema)
      .openapi({ description: "Totals of all payments, by currency." }),
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
