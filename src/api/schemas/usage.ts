import { z } from "@hono/zod-openapi";
import { limitQuery, pageOf, timestampSchema, uuidSchema } from "./primitives.ts";

/** The usage ledger (API §2.5). */
const ledgerEventSchema = z
  .object({
    eventId: z
      .string()
      .regex(/^[0-9]+$/)
      .openapi({
        description:
          "Id of the event. Later events have larger ids; moving the workspace to another database may increase " +
          "all of them.",
        example: "1042",
      }),
    type: z.enum(["grant", "consumption", "refund", "expiry", "adjustment"]),
    amount: z
      .int()
      .openapi({ description: "Credits: negative for consumption, positive for grants and refunds." }),
    unit: z.literal("credit"),
    source: z.enum(["credits", "subscription", "unlimited"]),
    balanceAfter: z
      .int()
      .nullable()
      .openapi({ description: "Balance of the source after the event; null for unlimited access." }),
    jobId: uuidSchema.nullable(),
    description: z.string(),
    createdAt: timestampSchema,
  })
  .openapi("LedgerEvent", {
    example: {
      eventId: "1042",
      type: "consumption",
      amount: -8,
      unit: "credit",
      source: "credits",
      balanceAfter: 34,
      jobId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
      description: "Job reserved",
      createdAt: "2026-06-18T12:00:00.000Z",
    },
  });
export type LedgerEventView = z.infer<typeof ledgerEventSchema>;

export const usagePageSchema = pageOf(ledgerEventSchema).openapi("UsagePage");

export const usageQuery = z.object({
  limit: limitQuery,
  before: z
    .string()
    .regex(/^[0-9]+$/, "must be `nextBefore` of the previous page, or the id of an event")
    .optional()
    .openapi({ description: "`nextBefore` of the previous page, or the id of an event.", example: "1042" }),
});
