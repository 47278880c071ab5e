import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { SCOPES } from "../scopes.ts";
import { limitQuery, nameOf, pageOf, timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

const scopeSchema = z.enum(SCOPES);

const budgetSchema = z
  .object({
    daily: z
      .int()
      .nullable()
      .openapi({ description: "Limit in credits per UTC day; null for no limit.", example: 50 }),
    monthly: z
      .int()
      .nullable()
      .openapi({ description: "Limit in credits per UTC calendar month; null for no limit." }),
    spentToday: z.int().min(0).openapi({
      description:
        "Credits of jobs ordered today (UTC), less refunds. Plan quota and unlimited access count too.",
    }),
    spentThisMonth: z.int().min(0).openapi({ description: "Like `spentToday`, for the UTC calendar month." }),
  })
  .openapi({ example: { daily: 50, monthly: 600, spentToday: 12, spentThisMonth: 148 } });

const budgetCredits = (of: string) =>
  z
    .int()
    .min(1)
    .max(LIMITS.keyBudgetCreditsMax)
    .nullish()
    .openapi({ description: `Credits that the key may spend in ${of}. Absent or null: no limit.` });

const setBudgetSchema = strictBody({
  daily: budgetCredits("a UTC day"),
  monthly: budgetCredits("a UTC calendar month"),
})
  .refine(
    ({ daily, monthly }) => daily !== undefined || monthly !== undefined,
    "must name `daily` or `monthly`; null for no budget",
  )
  .openapi({ minProperties: 1, example: { daily: 50, monthly: 600 } });

const EXAMPLE = {
  apiKeyId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
  name: "Build server",
  prefix: "cpk_live_7Gk2pQ",
  scopes: ["balance:read" as const, "jobs:write" as const],
  livemode: true,
  status: "active" as const,
  createdAt: "2026-06-18T12:00:00.000Z",
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
  parentKeyId: null,
  agent: null,
  budget: { daily: 50, monthly: 600, spentToday: 12, spentThisMonth: 148 },
};

const record = z.object({
  apiKeyId: uuidSchema,
  name: z.string(),
  prefix: z.string().openapi({ description: "First characters of the secret." }),
  scopes: z.array(scopeSchema),
  livemode: z.boolean().openapi({
    description: "`false` for a test key: its jobs are watermarked, free, and deleted after two days.",
  }),
  status: z.enum(["active", "revoked", "expired"]),
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema.nullable(),
  expiresAt: timestampSchema.nullable(),
  revokedAt: timestampSchema.nullable(),
  parentKeyId: uuidSchema.nullable().openapi({
    description: "API key that created this key; null if an account or operator did.",
  }),
  agent: z
    .object({
      host: z
        .string()
        .openapi({ description: "Host of the agent, or the host that its authorization codes are sent to." }),
      isVerified: z.boolean().openapi({ description: "Whether that host confirms the agent's name." }),
    })
    .nullable()
    .openapi({
      description:
        "The agent that was connected to `/mcp` by OAuth; null for other keys. Revoking the key disconnects the agent.",
    }),
  budget: budgetSchema.nullable().openapi({
    description: "Spending limits and use; null if only the balance limits the key.",
  }),
});

export const apiKeySchema = record.openapi("ApiKey", { example: EXAMPLE });
export type ApiKeyView = z.infer<typeof apiKeySchema>;

export const revokedApiKeySchema = record
  .extend({
    descendants: z.array(apiKeySchema).openapi({
      description:
        "Active keys that this key created, directly or through other keys. With `cascade=true` they are now " +
        "`revoked`.",
    }),
  })
  .openapi("RevokedApiKey", {
    example: { ...EXAMPLE, status: "revoked", revokedAt: "2026-06-18T13:00:00.000Z", descendants: [] },
  });
export type RevokedKeyView = z.infer<typeof revokedApiKeySchema>;

export const revokeKeyQuery = z.object({
  cascade: z.enum(["true", "false"]).default("false").openapi({
    description: "`true` also revokes the active keys that this key created, directly or through other keys.",
    example: "true",
  }),
});

export const apiKeyPageSchema = pageOf(apiKeySchema).openapi("ApiKeyPage");

export const apiKeyListQuery = z.object({
  limit: limitQuery,
  before: z.uuid("must be `nextBefore` of the previous page").toLowerCase().optional().openapi({
    description: "`nextBefore` of the previous page: the id of its last key.",
    example: EXAMPLE.apiKeyId,
  }),
  parentKeyId: z.uuid("must be the id of a key").toLowerCase().optional().openapi({
    description: "Only keys created by this key.",
    example: EXAMPLE.apiKeyId,
  }),
});

const secretSchema = z.string().openapi({ description: "Shown only once: store it now." });

export const createdApiKeySchema = record
  .extend({ secret: secretSchema })
  .openapi("CreatedApiKey", { example: { ...EXAMPLE, secret: "cpk_live_…" } });

export const sessionKeySchema = z
  .object({
    ...{ apiKeyId: uuidSchema, prefix: record.shape.prefix, workspaceId: uuidSchema },
    role: z
      .enum(["owner", "member"])
      .openapi({ description: "The account's role. The key stops working when the role changes." }),
    scopes: record.shape.scopes,
    ...{ createdAt: timestampSchema, expiresAt: timestampSchema },
    secret: z.string().openapi({ description: "Shown only once. Keep it in memory only." }),
  })
  .openapi("SessionKey", {
    example: {
      apiKeyId: EXAMPLE.apiKeyId,
      prefix: EXAMPLE.prefix,
      workspaceId: "0199f0c1-5d2e-7a44-8f10-3c6b9e2d7a58",
      role: "member",
      scopes: ["balance:read", "jobs:read", "artifacts:read"],
      createdAt: "2026-06-18T12:00:00.000Z",
      expiresAt: "2026-06-18T13:00:00.000Z",
      secret: "cpk_live_…",
    },
  });

export const createApiKeyBody = strictBody({
  name: nameOf(LIMITS.keyNameCharactersMax, "Build server"),
  scopes: z
    .array(scopeSchema)
    .min(1)
    .max(SCOPES.length)
    .transform((scopes) => [...new Set(scopes)])
    .openapi({
      type: "array",
      items: { type: "string", enum: [...SCOPES] },
      minItems: 1,
      maxItems: SCOPES.length,
      example: ["balance:read", "jobs:write"],
    }),
  expiresAt: z.iso.datetime({ offset: true }).nullish().openapi({
    description: "Expiry. Default: the expiry of the creating key, or none with an account session.",
    example: "2099-01-01T00:00:00Z",
  }),
  livemode: z
    .boolean()
    .optional()
    .openapi({
      description:
        "`false` creates a test key, `cpk_test_…`. Default: the value of the creating key, or `true` " +
        "with an account session. A test key can create only test keys.",
      example: false,
    }),
  budget: setBudgetSchema.nullish().openapi({ description: "Spending limits. Default: none." }),
}).openapi("CreateApiKey");

export const updateApiKeyBody = strictBody({
  name: nameOf(LIMITS.keyNameCharactersMax, "Build server").optional(),
  budget: setBudgetSchema.nullable().optional().openapi({
    description: "New spending limits; null removes them. If absent, they stay unchanged.",
  }),
})
  .refine(({ name, budget }) => name !== undefined || budget !== undefined, "must name `name` or `budget`")
  .openapi("UpdateApiKey", { minProperties: 1, example: { budget: { daily: 50, monthly: 600 } } });
