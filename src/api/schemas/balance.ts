import { z } from "@hono/zod-openapi";
import { allowanceSchema } from "./preview.ts";

/** Balance and means of payment of a workspace (API §2.4). */
export const balanceSchema = z
  .object({
    accessType: z.enum(["credits", "subscription", "unlimited"]).openapi({
      description:
        "Means of payment that is tried first. If a subscription's quota does not cover a job, credits pay for it.",
    }),
    unit: z.literal("credit"),
    credits: z.object({ available: z.int().min(0) }),
    subscription: z
      .object({
        status: z.literal("active"),
        quota: allowanceSchema,
      })
      .nullable(),
    prices: z.object({ static: z.int(), animated: z.int() }).openapi({ description: "Credits per size." }),
  })
  .openapi("Balance", {
    example: {
      accessType: "credits",
      unit: "credit",
      credits: { available: 42 },
      subscription: null,
      prices: { static: 1, animated: 3 },
    },
  });
export type BalanceView = z.infer<typeof balanceSchema>;
