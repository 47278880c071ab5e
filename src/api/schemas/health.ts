import { z } from "@hono/zod-openapi";
import { each } from "./primitives.ts";

const CAPABILITIES = [
  ...(["database", "storage", "queue", "rateLimit", "idempotency", "previews"] as const),
  ...(["downloads", "trial", "accounts", "deliveries", "imports"] as const),
];

/** What this origin can do: which services are configured, never how. */
export const healthSchema = z
  .object({
    status: z.enum(["ok", "incomplete"]).openapi({
      description: "`incomplete` when a service is not configured; its routes answer 501.",
    }),
    capabilities: z.object(each(CAPABILITIES, () => z.boolean())),
    missing: z.array(z.string()).openapi({
      description:
        "Names of the bindings, secrets and variables that the services wait for, or that have a value there is not.",
      example: ["KEY_PEPPER"],
    }),
  })
  .openapi("Health", {
    example: {
      status: "ok",
      capabilities: each(CAPABILITIES, () => true),
      missing: [],
    },
  });
