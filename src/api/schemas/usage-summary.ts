import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { uuidSchema } from "./primitives.ts";

/** Totals of spending. */

const dimensionSchema = z.enum(["day", "key", "contract"]);
export type UsageDimension = z.infer<typeof dimensionSchema>;

/** A valid calendar date, such as `2026-11-22`. */
const daySchema = z.iso.date("must be a day such as 2026-06-18");

const GROUPS_WORDS = `must be some of ${dimensionSchema.options.join(", ")}, with commas between`;

export const usageSummaryQuery = z.object({
  from: daySchema.optional().openapi({
    description: "First UTC day. Default: the first day of the month of `to`.",
    example: "2026-06-01",
  }),
  to: daySchema.optional().openapi({
    description: `Last UTC day; the range has at most ${LIMITS.usageSummaryDaysMax} days. Default: today.`,
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
        "Grouping of the rows: `day`, `key`, `contract`, or several separated by commas. Empty: totals only.",
      example: "day,key",
    }),
  before: z
    .string()
    .regex(/^[0-9A-Za-z_.~-]{1,200}$/, "must be `nextBefore` of the previous page")
    .optional()
    .openapi({
      description: "`nextBefore` of the previous page, with the same `groupBy`.",
      example: "2026-06-18~0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
    }),
  format: z.enum(["json", "csv"]).default("json").openapi({
    description: "`csv` returns the rows as a table (RFC 4180), with the next page in the `Link` header.",
    example: "json",
  }),
});
/** The parameters that determine the totals. */
export type UsageSummaryRequest = Omit<z.infer<typeof usageSummaryQuery>, "format">;

const sums = {
  jobs: z.int().min(0).openapi({ description: "Jobs ordered, including refunded ones." }),
  consumed: z.int().min(0).openapi({ description: "Cost of these jobs in credits." }),
  refunded: z.int().min(0).openapi({ description: "Credits of these jobs refunded so far." }),
  spent: z.int().min(0).openapi({ description: "`consumed` less `refunded`." }),
  spentBySource: z
    .object({
      credits: z.int().min(0),
      subscription: z.int().min(0),
      unlimited: z.int().min(0),
    })
    .openapi("SpentBySource", { description: "`spent`, split by means of payment." }),
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
      description: "UTC day of the jobs; null if `groupBy` does not include it.",
    }),
    apiKeyId: uuidSchema.nullable().openapi({
      description:
        "API key that ordered the jobs; null if a person or an operator did, or if `groupBy` does not include it.",
    }),
    apiKeyName: z
      .string()
      .nullable()
      .openapi({ description: "Name of the key; null if the key was deleted." }),
    contractId: z.string().nullable().openapi({
      description: "Contract of the jobs; null if `groupBy` does not include it.",
      example: "display.v1",
    }),
    ...sums,
  })
  .openapi("UsageSummaryRow");

export const usageSummarySchema = z
  .object({
    from: z.iso.date().openapi({ description: "First day." }),
    to: z.iso.date().openapi({ description: "Last day, inclusive." }),
    groupBy: z.array(dimensionSchema).openapi({ description: "Grouping of the rows." }),
    unit: z.literal("credit"),
    totals: z
      .object(sums)
      .openapi("UsageTotals", { description: "Totals of the whole range, not only of this page." }),
    items: z.array(rowSchema).openapi({
      description: `Rows with jobs, newest first; at most ${LIMITS.usageSummaryRows}.`,
    }),
    nextBefore: z.string().nullable().openapi({
      description: "Cursor of the next page, for `before`; null on the last page.",
      example: null,
    }),
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
