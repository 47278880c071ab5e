import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { TRIAL_SCOPES } from "../scopes.ts";
import { apiKeySchema } from "./api-key.ts";
import { timestampSchema, uuidSchema } from "./primitives.ts";

/** Tolerates unknown members: clients of this public route have many versions. */
export const trialBody = z
  .looseObject({
    clientMarker: z
      .string()
      .max(LIMITS.clientMarkerCharactersMax)
      .optional()
      .openapi({ description: "Distinguishes clients behind one IP address. Only its hash is stored." }),
  })
  .openapi("ClaimTrial", { example: { clientMarker: "installation-7f3a" } });

const EXAMPLE_CREATED_AT = "2026-06-18T12:00:00.000Z";
const EXAMPLE_EXPIRES_AT = new Date(Date.parse(EXAMPLE_CREATED_AT) + LIMITS.trialLifetimeMs).toISOString();

export const trialSchema = z
  .object({
    apiKey: apiKeySchema,
    secret: z.string().openapi({ description: "Shown only once. Treat it as session data." }),
    workspace: z.object({ workspaceId: uuidSchema, kind: z.literal("trial"), expiresAt: timestampSchema }),
    credits: z.int(),
  })
  .openapi("Trial", {
    example: {
      apiKey: {
        apiKeyId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
        name: "Trial key",
        prefix: "cpk_trial_7Gk2pQ",
        livemode: true,
        scopes: [...TRIAL_SCOPES],
        status: "active",
        createdAt: EXAMPLE_CREATED_AT,
        lastUsedAt: null,
        expiresAt: EXAMPLE_EXPIRES_AT,
        revokedAt: null,
        parentKeyId: null,
        agent: null,
        budget: null,
      },
      secret: "cpk_trial_7Gk2pQ…",
      workspace: {
        workspaceId: "0199f0c4-7b6d-7f02-8d3c-9a1b2c3d4e5f",
        kind: "trial",
        expiresAt: EXAMPLE_EXPIRES_AT,
      },
      credits: LIMITS.trialCredits,
    },
  });
