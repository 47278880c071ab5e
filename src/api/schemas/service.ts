import { z } from "@hono/zod-openapi";
import { OAUTH_PROVIDERS } from "../oauth-providers.ts";
import { each } from "./primitives.ts";

/** Facts about this origin that a page needs before sign-in. */
export const serviceSchema = z
  .object({
    engineVersion: z
      .string()
      .openapi({ description: "Version of the renderer. Equal versions render equal bytes." }),
    livePreviews: z.enum(["on", "off"]).openapi({
      description:
        "`off`: pages show `POST /previews` instead of rendering previews in the browser. Set by the operator's " +
        "LIVE_PREVIEWS.",
    }),
    accounts: z.boolean().openapi({ description: "Whether people can sign up and sign in." }),
    oauthProviders: z
      .array(z.enum(OAUTH_PROVIDERS))
      .openapi({ description: "Configured sign-in providers." }),
    deliveries: z.boolean(),
    imports: z.boolean(),
    previews: z.boolean(),
    mail: z.boolean().openapi({
      description:
        "Whether this origin sends mail. If so, addresses must be confirmed and lost passwords can be reset.",
    }),
    mailbox: z.string().nullable().openapi({
      description: "In development: where sent mail can be read. Null if mail is really sent.",
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

/** The services that are configured, without their settings. */
export const healthSchema = z
  .object({
    status: z.enum(["ok", "incomplete"]).openapi({
      description: "`incomplete` if a service is not configured; its routes return 501.",
    }),
    capabilities: z.object(each(CAPABILITIES, () => z.boolean())),
    missing: z.array(z.string()).openapi({
      description: "Names of missing bindings, secrets and variables, and of those with an invalid value.",
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
