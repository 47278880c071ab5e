import { z } from "@hono/zod-openapi";

export const receivedReportSchema = z
  .object({
    outcome: z.enum(["suppressed", "ignored"]).openapi({
      description:
        "`suppressed`: the report's address is sent nothing more. `ignored`: it is of no use here.",
    }),
  })
  .openapi("ReceivedMailReport", { example: { outcome: "suppressed" } });
