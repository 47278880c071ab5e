import { z } from "@hono/zod-openapi";

/** What this origin can do: which services are configured, never how. */
export const healthSchema = z
  .object({
    status: z.enum(["ok", "incomplete"]).openapi({
      description: "`incomplete` when a service is not configured; its routes answer 501.",
    }),
    capabilities: z.object({
      database: z.boolean(),
      storage: z.boolean(),
      queue: z.boolean(),
      rateLimit: z.boolean(),
      idempotency: z.boolean(),
      previews: z.boolean(),
      downloads: z.boolean(),
      trial: z.boolean(),
      accounts: z.boolean(),
      deliveries: z.boolean(),
      imports: z.boolean(),
    }),
    missing: z.array(z.string()).openapi({
      description:
        "Names of the bindings, secrets and variables that the services wait for, or that have a value there is not.",
      example: ["KEY_PEPPER"],
    }),
  })
  .openapi("Health", {
    example: {
      status: "ok",
      capabilities: {
        database: true,
        storage: true,
        queue: true,
        rateLimit: true,
        idempotency: true,
        previews: true,
        downloads: true,
        trial: true,
        accounts: true,
        deliveries: true,
        imports: true,
      },
      missing: [],
    },
  });
