import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { uuidSchema } from "./primitives.ts";

/** What was spent, in sums. */

const dimensionSchema = z.enum(["day", "key", "contract"]);
export type UsageDimension = z.infer<typeof dimensionSchema>;

/** A day that the calendar has, as `2026-11-22`. */
const daySchema = z.iso.date("must be a day as 2026-06-18");

const GROUPS_WORDS = `must be some of ${dimensionSchema.options.join(", ")}, with commas between`;

export const usageSummaryQuery = z.object({
  from: daySchema.optional().openapi({
    description: "First UTC day. When absent: the first of the month of `to`.",
    example: "2026-06-01",
  }),
  to: daySchema.optional().openapi({
    description: `Last UTC day, at most ${LIMITS.usageSummaryDaysMax} days with \`from\`. When absent: today.`,
    example: "2026-06-30",
  }),
  groupBy: z
    .string()
    .transform((text) => (text === "" ? [] : text.split(",")))
    .pipe(z.array(dimensionSchema, GROUPS_WORDS).max(dimensionSchema.options.length, GROUPS_WORDS))
    .default(["day"])
    .openapi({
      type: "string",
      default: "day",
      description:
        "What each row stands for: `day`, `key`, `contract`, or several with commas between; empty for totals alone.",
      example: "day,key",
    }),
  before: z
    .string()
    .regex(/^[0-9A-Za-z_.~-]{1,200}$/, "must be `nextBefore` of the previous page")
    .optional()
    .openapi({
      description: "`nextBefore` of the previous page, with its `groupBy`.",
      example: "2026-06-18~0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
    }),
  format: z.enum(["json", "csv"]).default("json").openapi({
    description: "`csv` for the rows as a table (RFC 4180), whose next page is in the header `Link`.",
    example: "json",
  }),
});
/** What of it decides the sums. */
export type UsageSummaryRequest = Omit<z.infer<typeof usageSummaryQuery>, "format">;

const sums = {
  jobs: z.int().min(0).openapi({ description: "Jobs that were ordered, those given back too." }),
  consumed: z.int().min(0).openapi({ description: "Credits that they cost." }),
  refunded: z.int().min(0).openapi({ description: "Credits of them that were given back until now." }),
  spent: z.int().min(0).openapi({ description: "`consumed` less `refunded`." }),
  spentBySource: z
    .object({
      credits: z.int().min(0),
      subscription: z.int().min(0),
      unlimited: z.int().min(0),
    })
    .openapi("SpentBySource", { description: "`spent` by what paid." }),
};

const SUMS = {
  jobs: 4,
  consumed: 32,
  refunded: 8,
  spent: 24,
  spentBySource: { credits: 24, subscription: 0, unlimited: 0 },
};

const rowSchema = z
  .object({
    day: z.iso.date().nullable().openapi({
      description: "The UTC day of the order; null where `groupBy` does not name it.",
    }),
    apiKeyId: uuidSchema.nullable().openapi({
      description:
        "The key that ordered; null for what people and operators ordered, and where `groupBy` does not name it.",
    }),
    apiKeyName: z.string().nullable().openapi({ description: "Its name; null once the key is deleted." }),
    contractId: z.string().nullable().openapi({
      description: "What was ordered; null where `groupBy` does not name it.",
      example: "display.v1",
    }),
    ...sums,
  })
  .openapi("UsageSummaryRow");

export const usageSummarySchema = z
  .object({
    from: z.iso.date().openapi({ description: "First day." }),
    to: z.iso.date().openapi({ description: "Last day, included." }),
    groupBy: z.array(dimensionSchema).openapi({ description: "What each row stands for." }),
    unit: z.literal("credit"),
    totals: z.object(sums).openapi("UsageTotals", { description: "Of the whole range, whatever the page." }),
    items: z.array(rowSchema).openapi({
      description: `Days with orders, newest first; at most ${LIMITS.usageSummaryRows} rows.`,
    }),
    nextBefore: z
      .string()
      .nullable()
      .openapi({ description: "`before` of the next page; null at the end.", example: null }),
  })
  .openapi("UsageSummary", {
    example: {
      from: "2026-06-01",
      to: "2026-06-30",
      groupBy: ["day", "key"],
      unit: "credit",
      totals: SUMS,
      items: [
        {
          day: "2026-06-18",
          apiKeyId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
          apiKeyName: "Build server",
          contractId: null,
          ...SUMS,
        },
      ],
      nextBefore: null,
    },
  });
export type UsageSummaryView = z.infer<typeof usageSummarySchema>;
