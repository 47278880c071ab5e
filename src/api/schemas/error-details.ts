import { z } from "@hono/zod-openapi";
import { ISOLATE_WINDOWS, LIMITS, WINDOW_NAMES } from "../limits.ts";
import { SCOPES } from "../scopes.ts";
import { MIME_TYPES } from "../slots.ts";
import { rejectionSchema } from "./asset.ts";
import { previewQuotaSchema } from "./preview.ts";

/** `error.details`: the members of all errors. */

/** Names that an error is about; at most as many as a pack has sizes. */
const names = (description: string, example: string[]) =>
  z
    .array(z.string().min(1))
    .min(1)
    .max(LIMITS.sizesPerJobMax)
    .readonly()
    .optional()
    .openapi({ description, example });

/** The text of a pack at its maximum length. */
const COPY_CHARACTERS_MAX =
  LIMITS.copyHeadlineCharactersMax +
  LIMITS.copySubheadlineCharactersMax +
  LIMITS.copyCtaCharactersMax +
  LIMITS.copyDisclaimerCharactersMax +
  2 * LIMITS.copyPriceCharactersMax +
  LIMITS.copyBadgeCharactersMax;

const issueSchema = z.object({
  in: z.enum(["body", "query", "path", "header"]).openapi({ description: "Part of the request." }),
  path: z
    .string()
    .max(LIMITS.jsonBodyBytesMax)
    .openapi({ description: "Path of the member, such as `copy.headline`; empty for the whole part." }),
  message: z.string().min(1).max(LIMITS.jsonBodyBytesMax).openapi({ description: "What is wrong with it." }),
});

const misfitSchema = z.object({
  sizeId: z.string().min(1),
  charactersMax: z.int().min(0).max(LIMITS.copyHeadlineCharactersMax).openapi({
    description: "Number of characters in `longest`.",
  }),
  longest: z.string().max(LIMITS.copyHeadlineCharactersMax).openapi({
    description: "The longest beginning of the headline that fits; empty if nothing fits.",
  }),
});

const shape = {
  issues: z.array(issueSchema).min(1).max(10).readonly().optional().openapi({
    description: "400: the first ten members that are invalid.",
  }),
  field: z.string().min(1).optional().openapi({
    description: "`UPLOAD_INTENT_INVALID`: the invalid member of the intent.",
    example: "mimeType",
  }),
  accepts: names("`UPLOAD_INTENT_INVALID`: values that the slot accepts for the member.", ["image/png"]),
  minimum: z.int().min(0).optional().openapi({
    description: "`UPLOAD_INTENT_INVALID`: minimum value of `field`.",
    example: 360,
  }),
  maximum: z.int().min(0).optional().openapi({
    description: "`UPLOAD_INTENT_INVALID`: maximum value of `field`.",
    example: LIMITS.imageEdgePxMax,
  }),
  pixels: z.int().min(1).optional().openapi({
    description: "If an image has too many pixels: its number of pixels.",
    example: 48_771_072,
  }),
  largest: z
    .object({
      width: z.int().min(1).max(LIMITS.imageEdgePxMax),
      height: z.int().min(1).max(LIMITS.imageEdgePxMax),
    })
    .optional()
    .openapi({
      description: "If an image has too many pixels: the largest accepted size of the same aspect ratio.",
      example: { width: 8_000, height: 6_000 },
    }),
  expected: z
    .object({
      byteLength: z.int().min(1).max(LIMITS.uploadBytesMax),
      mimeType: z.enum(MIME_TYPES).optional(),
    })
    .optional()
    .openapi({ description: "`UPLOAD_MISMATCH`: values in the upload intent." }),
  maxBytes: z
    .int()
    .min(1)
    .max(LIMITS.uploadBytesMax)
    .optional()
    .openapi({ description: "Maximum bytes.", example: 26_214_400 }),
  rejection: rejectionSchema.optional().openapi({
    description: "`ASSET_REJECTED`, `ASSET_IMPORT_FAILED`: the `rejection` of the asset.",
  }),
  slots: names("Slots that the error is about.", ["media"]),
  looks: names("`LOOK_UNSUPPORTED`: all looks.", ["classic", "bold"]),
  sizeIds: names(
    "`SIZE_UNSUPPORTED`: ids that the contract does not list. `OVERRIDE_UNSUPPORTED`: sizes that the request does " +
      "not select. `SCALE_UNSUPPORTED`: sizes whose network documents no 2x files. " +
      "`FORMAT_UNSUPPORTED`: sizes whose network accepts no HTML5 or no video.",
    ["iab-300x251"],
  ),
  scale2SizeIds: names("`SCALE_UNSUPPORTED`: sizes of the contract that accept `scale` 2.", ["iab-300x250"]),
  macros: names("`CLICK_URL_UNSUPPORTED`: click macros of the network.", [`$\{CLICK_URL}`]),
  contractIds: names(
    "`SIZE_UNSUPPORTED`: contracts that list all of these sizes. `SCALE_UNSUPPORTED`: contracts with sizes that " +
      "accept `scale` 2, if this one has none.",
    ["campaign.v2"],
  ),
  motion: z
    .enum(["static", "animated"])
    .optional()
    .openapi({ description: "`FORMAT_UNSUPPORTED`: the motion of the request." }),
  formats: names("`FORMAT_UNSUPPORTED`: formats that the contract accepts for this motion.", [
    "png",
    "jpg",
    "webp",
  ]),
  characters: z
    .array(z.string().min(1))
    .max(COPY_CHARACTERS_MAX)
    .readonly()
    .optional()
    .openapi({
      description:
        "`COPY_UNSUPPORTED`: characters without a glyph in the uploaded font or any fallback font; empty if the " +
        "font cannot be opened.",
      example: ["🌻"],
    }),
  misfits: z.array(misfitSchema).min(1).max(LIMITS.sizesPerJobMax).readonly().optional().openapi({
    description:
      "`COPY_DOES_NOT_FIT`: sizes in which the headline is not legible, and the part that would fit.",
  }),
  reason: z.string().min(1).optional().openapi({
    description: "Previews: the `ErrorCode` or `JobFailureCode` that a job would get.",
    example: "SIZE_UNSUPPORTED",
  }),
  required: z
    .int()
    .min(1)
    .optional()
    .openapi({ description: "`PAYMENT_REQUIRED`, `BUDGET_EXHAUSTED`: cost in credits.", example: 12 }),
  resetsAt: z.iso.datetime().optional().openapi({
    description: "`BUDGET_EXHAUSTED`: when the key may spend again, UTC.",
    example: "2026-06-19T00:00:00.000Z",
  }),
  available: z
    .int()
    .min(0)
    .optional()
    .openapi({
      description:
        "`PAYMENT_REQUIRED`: credits or quota that can be spent, whichever is more. `BUDGET_EXHAUSTED`: the key's " +
        "remaining budget.",
      example: 5,
    }),
  requiredScope: z.enum(SCOPES).optional().openapi({ description: "The missing scope." }),
  missingScopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).readonly().optional().openapi({
    description: "`SCOPE_NOT_GRANTABLE`: scopes that the creating key does not have.",
  }),
  requiredRole: z
    .literal("owner")
    .optional()
    .openapi({ description: "`ROLE_INSUFFICIENT`: the role that the operation requires." }),
  family: z
    .enum([...WINDOW_NAMES, ...ISOLATE_WINDOWS])
    .optional()
    .openapi({
      description:
        "`RATE_LIMITED`: the exhausted window. It belongs to a route family or a client network, or counts refunded " +
        "jobs or the requests to a single machine.",
      example: "jobs",
    }),
  limit: z.int().min(1).optional().openapi({
    description: "`RATE_LIMITED`: requests per window. If an image has too many pixels: the maximum.",
    example: 60,
  }),
  quota: previewQuotaSchema.optional(),
  settings: names("`SERVICE_NOT_CONFIGURED`: missing bindings, secrets or variables of this origin.", [
    "KEY_PEPPER",
  ]),
  fileName: z.string().min(1).optional().openapi({
    description: "`FILE_CORRUPT`: name of the file in the manifest.",
    example: "iab-300x250.png",
  }),
};

const members = z.object({
  nextAction: z.string().min(1).openapi({ description: "The next safe action." }),
  safeToRetryUnchanged: z.boolean().openapi({
    description: "Whether the same request with the same Idempotency-Key may be sent again unchanged.",
  }),
  ...shape,
});

/** Members may be added; clients ignore those that they do not know. */
export const errorDetailsSchema = members.loose().openapi("ErrorDetails");

/** Details of one error. `nextAction` and `safeToRetryUnchanged` override the defaults of its code. */
export type RefusalDetails = Readonly<Partial<z.infer<typeof members>>>;
