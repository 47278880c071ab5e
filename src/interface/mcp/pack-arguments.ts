import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import { motionSchema, outputFormatSchema } from "#api/schemas/catalogue.ts";
import { checkOldPrices } from "#api/schemas/copy.ts";
import { brandSchema } from "#api/schemas/design.ts";
import { type PackRequest, packRequestSchema } from "#api/schemas/job.ts";
import { networkSchema } from "#api/schemas/landing.ts";
import { createPreviewSchema, frameSchema } from "#api/schemas/preview.ts";
import { strictBody } from "#api/schemas/strict-body.ts";
import { BUTTON_STYLES, COMPOSITIONS, LOOK_IDS } from "#catalogue/looks.ts";

/** Arguments of the tools that draw: those of the API's pack request, validated by its schema. */

const line = (charactersMax: number) => z.string().max(charactersMax).optional();

/** An argument shown with a description instead of its schema, because that is shorter. */
const described = (description: string) => z.unknown().meta({ type: "object", description });

/** Arguments that decide a pack's cost, as agents see them: names, bounds and meaning. Validation accepts more. */
export const SHOWN_COST_ARGUMENTS = {
  contractId: z.string().describe("From list_contracts."),
  selectedSizeIds: z
    .array(z.string())
    .min(1)
    .max(LIMITS.sizesPerJobMax)
    .describe("From list_sizes, each once. Never invent them."),
  // import_asset describes the slots, once per conversation.
  assetIds: described(
    "slotId to assetId, at least one picture or logo. product, person and device go with no other picture but background.",
  ),
  motion: motionSchema.optional().describe("static when absent."),
};

const SHOWN_PACK_ARGUMENTS = {
  ...SHOWN_COST_ARGUMENTS,
  outputFormat: outputFormatSchema
    .optional()
    .describe("png, or gif when animated; static takes png, jpg, webp."),
  network: networkSchema.optional().describe("Ad server, for html5."),
  clickUrl: z.string().optional().describe("For html5: https target of a click."),
  copy: z
    .object({
      headline: line(LIMITS.copyHeadlineCharactersMax),
      subheadline: line(LIMITS.copySubheadlineCharactersMax),
      cta: line(LIMITS.copyCtaCharactersMax),
      disclaimer: line(LIMITS.copyDisclaimerCharactersMax),
      price: line(LIMITS.copyPriceCharactersMax),
      oldPrice: line(LIMITS.copyPriceCharactersMax),
      badge: line(LIMITS.copyBadgeCharactersMax),
      language: line(LIMITS.languageTagCharactersMax),
    })
    .optional()
    .describe("cta: the button; prices with currency; language: BCP 47."),
  brandId: z.uuid().optional().describe("From list_brands; other arguments win over it."),
  brand: described(`Colours as #rrggbb: ${Object.keys(brandSchema.shape).join(", ")}.`).optional(),
  buttonStyle: z.enum(BUTTON_STYLES).optional(),
  look: z.enum(LOOK_IDS).optional().describe("Style; classic when absent."),
  variant: z.int().min(1).max(3).optional().describe("2, 3: other compositions."),
  composition: z.enum(COMPOSITIONS).optional(),
  scale: z.number().optional().describe("2: 2x files."),
  placements: described(
    "slotId to { focalPoint: { x, y } }, to keep in sight, or { keep: { x, y, width, height } }, to show whole; as fractions 0..1.",
  ).optional(),
  overrides: described(
    "selectedSizeId to its own copy, placements, variant, composition, scale; empty text removes the pack's text.",
  ).optional(),
};

export const previewArguments = createPreviewSchema;

export const SHOWN_PREVIEW_ARGUMENTS = {
  ...SHOWN_PACK_ARGUMENTS,
  frame: frameSchema.optional().describe("Animation frame; last when absent."),
};

/** Identifies one order, like the API's Idempotency-Key header. */
const idempotencyKey = z.string().min(1).max(LIMITS.idempotencyKeyCharactersMax);

export const orderArguments = strictBody({ ...packRequestSchema.shape, idempotencyKey }).superRefine(
  checkOldPrices,
);

export const SHOWN_ORDER_ARGUMENTS = {
  ...SHOWN_PACK_ARGUMENTS,
  idempotencyKey: idempotencyKey.describe(
    "A new UUID for each order. Repeat it with the same arguments after an error or a lost answer: the pack is made and " +
      "charged once.",
  ),
};

/** The pack request without the idempotency key. */
export const packRequestOf = ({
  idempotencyKey: _,
  ...request
}: z.infer<typeof orderArguments>): PackRequest => request;
