import { z } from "@hono/zod-openapi";
import { ISOLATE_WINDOWS, LIMITS, WINDOW_NAMES } from "../limits.ts";
import { SCOPES } from "../scopes.ts";
import { MIME_TYPES } from "../slots.ts";
import { rejectionSchema } from "./asset.ts";
import { previewQuotaSchema } from "./preview.ts";

/** What `error.details` may hold besides what to do next: every member that some refusal has. */

/** Names that a refusal is about; at most as many as a pack has sizes. */
const names = (description: string, example: string[]) =>
  z
    .array(z.string().min(1))
    .min(1)
    .max(LIMITS.sizesPerJobMax)
    .readonly()
    .optional()
    .openapi({ description, example });

/** Every line of a pack at its longest. */
const COPY_CHARACTERS_MAX =
  LIMITS.copyHeadlineCharactersMax +
  LIMITS.copySubheadlineCharactersMax +
  LIMITS.copyCtaCharactersMax +
  LIMITS.copyDisclaimerCharactersMax +
  2 * LIMITS.copyPriceCharactersMax +
  LIMITS.copyBadgeCharactersMax;

const issueSchema = z.object({
  in: z.enum(["body", "query", "path", "header"]).openapi({ description: "The part of the request." }),
  path: z
    .string()
    .max(LIMITS.jsonBodyBytesMax)
    .openapi({ description: "The member, as `copy.headline`; empty for the whole." }),
  message: z.string().min(1).max(LIMITS.jsonBodyBytesMax).openapi({ description: "What is wrong with it." }),
});

const misfitSchema = z.object({
  sizeId: z.string().min(1),
  charactersMax: z.int().min(0).max(LIMITS.copyHeadlineCharactersMax).openapi({
    description: "Characters of `longest`.",
  }),
  longest: z.string().max(LIMITS.copyHeadlineCharactersMax).openapi({
    description: "The longest beginning of the headline that fits; empty where no part of it does.",
  }),
});

const shape = {
  issues: z.array(issueSchema).min(1).max(10).readonly().optional().openapi({
    description: "400: each member that is wrong, the first ten of them.",
  }),
  field: z.string().min(1).optional().openapi({
    description: "`UPLOAD_INTENT_INVALID`: the member of the intent that is wrong.",
    example: "mimeType",
  }),
  accepts: names("`UPLOAD_INTENT_INVALID`: the values that the slot takes there.", ["image/png"]),
  minimum: z.int().min(0).optional().openapi({
    description: "`UPLOAD_INTENT_INVALID`: the least that the member may be.",
    example: 360,
  }),
  maximum: z.int().min(0).optional().openapi({
    description: "`UPLOAD_INTENT_INVALID`: the most that the member may be.",
    example: LIMITS.imageEdgePxMax,
  }),
  pixels: z.int().min(1).optional().openapi({
    description: "A picture of too many pixels: how many it has.",
    example: 48_771_072,
  }),
  largest: z
    .object({
      width: z.int().min(1).max(LIMITS.imageEdgePxMax),
      height: z.int().min(1).max(LIMITS.imageEdgePxMax),
    })
    .optional()
    .openapi({
      description: "A picture of too many pixels: the largest size of the same shape that is accepted.",
      example: { width: 8_000, height: 6_000 },
    }),
  expected: z
    .object({
      byteLength: z.int().min(1).max(LIMITS.uploadBytesMax),
      mimeType: z.enum(MIME_TYPES).optional(),
    })
    .optional()
    .openapi({ description: "`UPLOAD_MISMATCH`: what the intent says." }),
  maxBytes: z
    .int()
    .min(1)
    .max(LIMITS.uploadBytesMax)
    .optional()
    .openapi({ description: "The most bytes that are taken.", example: 26_214_400 }),
  rejection: rejectionSchema.optional().openapi({
    description: "`ASSET_REJECTED`, `ASSET_IMPORT_FAILED`: why, as the asset shows it from now on.",
  }),
  slots: names("Slots that the refusal is about.", ["media"]),
  looks: names("`LOOK_UNSUPPORTED`: the looks that there are.", ["classic", "bold"]),
  sizeIds: names(
    "`SIZE_UNSUPPORTED`: the ids that the contract does not list. `OVERRIDE_UNSUPPORTED`: those that the request does " +
      "not select. `SCALE_UNSUPPORTED`: those whose network documents no files of twice the pixels. `FORMAT_UNSUPPORTED`: those " +
      "whose network takes no HTML5 or no video.",
    ["iab-300x251"],
  ),
  scale2SizeIds: names("`SCALE_UNSUPPORTED`: the contract's sizes that take `scale` 2.", ["iab-300x250"]),
  macros: names("`CLICK_URL_UNSUPPORTED`: what a `clickUrl` of the network may begin with.", [
    `$\{CLICK_URL}`,
  ]),
  contractIds: names(
    "`SIZE_UNSUPPORTED`: contracts that list all of those. `SCALE_UNSUPPORTED`: those with sizes that take `scale` 2, where " +
      "this one has none.",
    ["campaign.v2"],
  ),
  motion: z.enum(["static", "animated"]).optional().openapi({ description: "`FORMAT_UNSUPPORTED`." }),
  formats: names("`FORMAT_UNSUPPORTED`: what the contract takes for this motion.", ["png", "jpg", "webp"]),
  characters: z
    .array(z.string().min(1))
    .max(COPY_CHARACTERS_MAX)
    .readonly()
    .optional()
    .openapi({
      description:
        "`COPY_UNSUPPORTED`: what neither the uploaded font nor a fallback font has a glyph for; none where the font cannot be opened.",
      example: ["🌻"],
    }),
  misfits: z.array(misfitSchema).min(1).max(LIMITS.sizesPerJobMax).readonly().optional().openapi({
    description:
      "`COPY_DOES_NOT_FIT`: sizes in which the headline cannot be set legibly, and what of it could.",
  }),
  reason: z.string().min(1).optional().openapi({
    description:
      "Previews: the `ErrorCode` that a job would be refused with, or the `JobFailureCode` it would fail with.",
    example: "SIZE_UNSUPPORTED",
  }),
  required: z
    .int()
    .min(1)
    .optional()
    .openapi({ description: "`PAYMENT_REQUIRED`: the cost in credits.", example: 12 }),
  resetsAt: z.iso.datetime().optional().openapi({
    description: "`BUDGET_EXHAUSTED`: when the key may spend again.",
    example: "2026-06-19T00:00:00.000Z",
  }),
  available: z.int().min(0).optional().openapi({
    description:
      "`PAYMENT_REQUIRED`: what can be spent, from credits or the subscription, whichever is more.",
    example: 5,
  }),
  requiredScope: z.enum(SCOPES).optional().openapi({ description: "The scope that is missing." }),
  missingScopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).readonly().optional().openapi({
    description: "`SCOPE_NOT_GRANTABLE`: scopes that the creating key does not hold.",
  }),
  requiredRole: z.literal("owner").optional().openapi({ description: "`ROLE_INSUFFICIENT`." }),
  family: z
    .enum([...WINDOW_NAMES, ...ISOLATE_WINDOWS])
    .optional()
    .openapi({
      description:
        "`RATE_LIMITED`: the window that is full: a route family's, one of the client's network, that of jobs given back, or one of a single machine.",
      example: "jobs",
    }),
  limit: z.int().min(1).optional().openapi({
    description:
      "`RATE_LIMITED`: requests that its window takes. A picture of too many pixels: the most that are accepted.",
    example: 60,
  }),
  quota: previewQuotaSchema.optional().openapi({
    description:
      "`PREVIEW_RATE_LIMITED`, `PREVIEW_QUOTA_EXCEEDED`: both allowances, as `GET /previews/quota` has them.",
  }),
  settings: names("`SERVICE_NOT_CONFIGURED`: the bindings, secrets or variables that this origin lacks.", [
    "KEY_PEPPER",
  ]),
  fileName: z.string().min(1).optional().openapi({
    description: "`FILE_CORRUPT`: the file, as the manifest calls it.",
    example: "iab-300x250.png",
  }),
};

const members = z.object({
  nextAction: z.string().min(1).openapi({ description: "The nearest safe action." }),
  safeToRetryUnchanged: z.boolean().openapi({
    description: "Whether the same request and Idempotency-Key may be sent again unchanged.",
  }),
  ...shape,
});

/** Further members may come: a client passes over what it does not know. */
export const errorDetailsSchema = members.loose().openapi("ErrorDetails");

/** What a refusal says besides its code's defaults; `nextAction` and `safeToRetryUnchanged` replace them. */
export type RefusalDetails = Readonly<Partial<z.infer<typeof members>>>;
