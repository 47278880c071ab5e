import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { SCOPES } from "../scopes.ts";
import { limitQuery, nameOf, pageOf, timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

const scopeSchema = z.enum(SCOPES);

const budgetSchema = z
  .object({
    daily: z.int().nullable().openapi({ description: "Credits a UTC day; null for no limit.", example: 50 }),
    monthly: z.int().nullable().openapi({ description: "Credits a UTC calendar month; null for no limit." }),
    spentToday: z.int().min(0).openapi({
      description: "Of the day: credits of orders, less what was given back. Whatever paid for them.",
    }),
    spentThisMonth: z.int().min(0).openapi({ description: "The same of the calendar month." }),
  })
  .openapi({ example: { daily: 50, monthly: 600, spentToday: 12, spentThisMonth: 148 } });

const budgetCredits = (of: string) =>
  z
    .int()
    .min(1)
    .max(LIMITS.keyBudgetCreditsMax)
    .nullish()
    .openapi({ description: `Credits that the key may spend in ${of}; no limit when absent or null.` });

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
  budget: { daily: 50, monthly: 600, spentToday: 12, spentThisMonth: 148 },
};

const record = z.object({
  apiKeyId: uuidSchema,
  name: z.string(),
  prefix: z.string().openapi({ description: "First characters of the secret." }),
  scopes: z.array(scopeSchema),
  livemode: z.boolean().openapi({
    description: "False of a test key: its jobs are watermarked, cost nothing and are deleted after a day.",
  }),
  status: z.enum(["active", "revoked", "expired"]),
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema.nullable(),
  expiresAt: timestampSchema.nullable(),
  revokedAt: timestampSchema.nullable(),
  parentKeyId: uuidSchema.nullable().openapi({
    description: "The key that made it; null where an account or an operator did.",
  }),
  budget: budgetSchema.nullable().openapi({
    description: "What it may spend, and has spent of it; null where only the balance bounds it.",
  }),
});

export const apiKeySchema = record.openapi("ApiKey", { example: EXAMPLE });
export type ApiKeyView = z.infer<typeof apiKeySchema>;

export const revokedApiKeySchema = record
  .extend({
    descendants: z.array(apiKeySchema).openapi({
      description:
        "Keys that it made, directly or through others, and that were live until now. They are `active` still, or " +
        "`revoked` with `cascade=true`.",
    }),
  })
  .openapi("RevokedApiKey", {
    example: { ...EXAMPLE, status: "revoked", revokedAt: "2026-06-18T13:00:00.000Z", descendants: [] },
  });
export type RevokedKeyView = z.infer<typeof revokedApiKeySchema>;

export const revokeKeyQuery = z.object({
  cascade: z.enum(["true", "false"]).default("false").openapi({
    description: "`true` revokes the live keys that it made as well, directly or through others.",
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
    description: "Only keys that this key made.",
    example: EXAMPLE.apiKeyId,
  }),
});

const secretSchema = z.string().openapi({ description: "Shown once; store it now." });

export const createdApiKeySchema = record
  .extend({ secret: secretSchema })
  .openapi("CreatedApiKey", { example: { ...EXAMPLE, secret: "cpk_live_…" } });

export const sessionKeySchema = z
  .object({
    ...{ apiKeyId: uuidSchema, prefix: record.shape.prefix, workspaceId: uuidSchema },
    role: z.enum(["owner", "member"]).openapi({ description: "The person's; the key ends when it changes." }),
    scopes: record.shape.scopes,
    ...{ createdAt: timestampSchema, expiresAt: timestampSchema },
    secret: z.string().openapi({ description: "Shown once; keep it in memory alone." }),
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
    description: "When the key stops working. When absent: as the creating key does, or never.",
    example: "2099-01-01T00:00:00Z",
  }),
  livemode: z
    .boolean()
    .optional()
    .openapi({
      description:
        "`false` for a test key, `cpk_test_…`. When absent: as of the creating key, and `true` from an account. A test key " +
        "makes only test keys.",
      example: false,
    }),
  budget: setBudgetSchema.nullish().openapi({ description: "What it may spend. When absent: all there is." }),
}).openapi("CreateApiKey");

export const updateApiKeyBody = strictBody({
  name: nameOf(LIMITS.keyNameCharactersMax, "Build server").optional(),
  budget: setBudgetSchema.nullable().optional().openapi({
    description: "What it may spend from now on; null for all there is. It stays as it is when absent.",
  }),
})
  .refine(({ name, budget }) => name !== undefined || budget !== undefined, "must name `name` or `budget`")
  .openapi("UpdateApiKey", { minProperties: 1, example: { budget: { daily: 50, monthly: 600 } } });
