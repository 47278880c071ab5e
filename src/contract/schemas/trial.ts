import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { apiKeySchema } from "./api-key.ts";
import { timestampSchema, uuidSchema } from "./primitives.ts";

/** Other members are tolerated: clients of this public route are of many versions. */
export const trialBody = z
  .looseObject({
    clientMarker: z
      .string()
      .max(LIMITS.clientMarkerCharactersMax)
      .optional()
      .openapi({ description: "Tells clients behind one address apart; only a hash of it is kept." }),
  })
  .openapi("ClaimTrial", { example: { clientMarker: "installation-7f3a" } });

export const trialSchema = z
  .object({
    apiKey: apiKeySchema,
    secret: z.string().openapi({ description: "Shown once; session material.", example: "cpk_trial_…" }),
    workspace: z.object({ workspaceId: uuidSchema, kind: z.literal("trial"), expiresAt: timestampSchema }),
    credits: z.int(),
  })
  .openapi("Trial");
