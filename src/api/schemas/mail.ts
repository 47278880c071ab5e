import { z } from "@hono/zod-openapi";

export const receivedReportSchema = z
  .object({
    outcome: z.enum(["suppressed", "ignored"]).openapi({
      description:
        "`suppressed`: no more email is sent to the report's address. `ignored`: the report has no effect here.",
    }),
  })
  .openapi("ReceivedMailReport", { example: { outcome: "suppressed" } });
