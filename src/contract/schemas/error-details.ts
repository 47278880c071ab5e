import { z } from "@hono/zod-openapi";
import { LIMITS, WINDOW_NAMES } from "../limits.ts";
import { SCOPES } from "../scopes.ts";
import { MIME_TYPES } from "../slots.ts";
import { rejectionSchema } from "./asset.ts";
import { previewQuotaSchema } from "./preview.ts";

/** What `error.details` may hold besides what to do next: every member that some refusal has. */

const names = (description: string, example: string[]) =>
  z.array(z.string()).readonly().optional().openapi({ description, example });

const issueSchema = z.object({
  in: z.enum(["body", "query", "path", "header"]),
  path: z.string().openapi({ description: "The member, as `copy.headline`; empty for the whole." }),
  message: z.string(),
});

const shape = {
  issues: z.array(issueSchema).readonly().optional().openapi({
    description: "400: each member that is wrong, the first ten of them.",
  }),
  field: z.string().optional().openapi({
    description: "`UPLOAD_INTENT_INVALID`: the member of the intent that is wrong.",
    example: "mimeType",
  }),
  accepts: names("`UPLOAD_INTENT_INVALID`: the values that the slot takes there.", ["image/png"]),
  minimum: z.int().optional().openapi({
    description: "`UPLOAD_INTENT_INVALID`: the least that the member may be.",
    example: 360,
  }),
  maximum: z.int().optional().openapi({
    description: "`UPLOAD_INTENT_INVALID`: the most that the member may be.",
    example: LIMITS.imageEdgePxMax,
  }),
  expected: z
    .object({ byteLength: z.int(), mimeType: z.enum(MIME_TYPES).optional() })
    .optional()
    .openapi({ description: "`UPLOAD_MISMATCH`: what the intent says." }),
  maxBytes: z
    .int()
    .optional()
    .openapi({ description: "The most bytes that are taken.", example: 26_214_400 }),
  rejection: rejectionSchema.optional().openapi({
    description: "`ASSET_REJECTED`: why, as the asset shows it from now on.",
  }),
  slots: names("Slots that the refusal is about.", ["media"]),
  sizeIds: names("`SIZE_UNSUPPORTED`: the ids that the contract does not list.", ["iab-300x251"]),
  contractIds: names("`SIZE_UNSUPPORTED`: contracts that list all of those.", ["campaign.v1"]),
  motion: z.enum(["static", "animated"]).optional().openapi({ description: "`FORMAT_UNSUPPORTED`." }),
  formats: names("`FORMAT_UNSUPPORTED`: what the contract takes for this motion.", ["png", "jpg", "webp"]),
  characters: names("`COPY_UNSUPPORTED`: what the font has no glyph for.", ["🌻"]),
  reason: z.string().optional().openapi({
    description:
      "Previews: the `ErrorCode` that a job would be refused with, or the `JobFailureCode` it would fail with.",
    example: "SIZE_UNSUPPORTED",
  }),
  required: z
    .int()
    .optional()
    .openapi({ description: "`PAYMENT_REQUIRED`: the cost in credits.", example: 12 }),
  available: z.int().optional().openapi({
    description:
      "`PAYMENT_REQUIRED`: what can be spent, from credits or the subscription, whichever is more.",
    example: 5,
  }),
  requiredScope: z.enum(SCOPES).optional().openapi({ description: "The scope that is missing." }),
  missingScopes: z.array(z.enum(SCOPES)).readonly().optional().openapi({
    description: "`SCOPE_NOT_GRANTABLE`: scopes that the creating key does not hold.",
  }),
  requiredRole: z.literal("owner").optional().openapi({ description: "`ROLE_INSUFFICIENT`." }),
  family: z
    .enum([...WINDOW_NAMES])
    .optional()
    .openapi({
      description:
        "`RATE_LIMITED`: the window that is full: a route family's, one of the client's network, or that of jobs given back.",
      example: "jobs",
    }),
  limit: z.int().optional().openapi({
    description: "`RATE_LIMITED`: requests that its window takes.",
    example: 60,
  }),
  quota: previewQuotaSchema.optional().openapi({
    description:
      "`PREVIEW_RATE_LIMITED`, `PREVIEW_QUOTA_EXCEEDED`: both allowances, as `GET /previews/quota` has them.",
  }),
  settings: names("`SERVICE_NOT_CONFIGURED`: the bindings, secrets or variables that this origin lacks.", [
    "KEY_PEPPER",
  ]),
  fileName: z.string().optional().openapi({
    description: "`FILE_CORRUPT`: the file, as the manifest calls it.",
    example: "iab-300x250.png",
  }),
};

const members = z.object({
  nextAction: z.string().openapi({ description: "The nearest safe action." }),
  safeToRetryUnchanged: z.boolean().openapi({
    description: "Whether the same request and Idempotency-Key may be sent again unchanged.",
  }),
  ...shape,
});

/** Further members may come: a client passes over what it does not know. */
export const errorDetailsSchema = members.loose().openapi("ErrorDetails");

/** What a refusal says besides its code's defaults; `nextAction` and `safeToRetryUnchanged` replace them. */
export type RefusalDetails = Readonly<Partial<z.infer<typeof members>>>;
