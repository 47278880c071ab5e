import { z } from "@hono/zod-openapi";
import { OAUTH_PROVIDERS } from "../oauth-providers.ts";
import { each } from "./primitives.ts";

/** What a page must know of this origin before anybody has signed in. */
export const serviceSchema = z
  .object({
    engineVersion: z.string().openapi({ description: "Of the renderer; equal versions draw equal bytes." }),
    livePreviews: z.enum(["on", "off"]).openapi({
      description:
        "`off`: pages show `POST /previews`, and draw nothing themselves. The operator's LIVE_PREVIEWS.",
    }),
    accounts: z.boolean().openapi({ description: "Whether people can sign up and in." }),
    oauthProviders: z
      .array(z.enum(OAUTH_PROVIDERS))
      .openapi({ description: "Those that one can sign in with." }),
    deliveries: z.boolean(),
    imports: z.boolean(),
    previews: z.boolean(),
    mail: z.boolean().openapi({
      description: "Whether it sends mail: addresses are confirmed then, and lost passwords replaced.",
    }),
    mailbox: z.string().nullable().openapi({
      description: "In development, where mail that was sent can be read; null where mail really goes out.",
    }),
    billing: z.boolean().openapi({ description: "Whether credits and plans can be bought." }),
  })
  .openapi("Service", {
    example: {
      engineVersion: "1.11.0",
      livePreviews: "on",
      accounts: true,
      oauthProviders: ["github"],
      deliveries: true,
      imports: true,
      previews: true,
      mail: true,
      mailbox: null,
      billing: true,
    },
  });

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
