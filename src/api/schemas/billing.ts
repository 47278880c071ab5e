import { z } from "@hono/zod-openapi";

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
