import { z } from "zod";
import { LIMITS } from "#api/limits.ts";
import { motionSchema, outputFormatSchema } from "#api/schemas/catalogue.ts";
import { checkOldPrices } from "#api/schemas/copy.ts";
import { type PackRequest, packRequestSchema } from "#api/schemas/job.ts";
import { networkSchema } from "#api/schemas/landing.ts";
import { createPreviewSchema, frameSchema } from "#api/schemas/preview.ts";
import { strictBody } from "#api/schemas/strict-body.ts";
import { PICTURE_SLOT_IDS, SLOT_IDS } from "#api/slots.ts";
import { BUTTON_STYLES, COMPOSITIONS, LOOK_IDS } from "#catalogue/looks.ts";

/** The arguments of tools that draw: those of the API's pack request, checked by its schema. */

/** What each slot is for stands in import_asset, once for every conversation. */
const slotArguments = z.partialRecord(z.enum(SLOT_IDS), z.uuid());

/** A schema of its own for each member: one that is shared would be described as the first. */
const colour = () => z.string().optional();

const line = (charactersMax: number) => z.string().max(charactersMax).optional();

/** Parts whose form a sentence says in fewer words than a schema: each conversation of an agent begins with these. */
const described = (words: string) => z.record(z.string(), z.unknown()).optional().describe(words);

/** The same arguments as they are shown: names, bounds and meaning, without what the check is lenient about. */
const SHOWN_PACK_ARGUMENTS = {
  contractId: z.string().describe("The set of sizes, from list_contracts."),
  selectedSizeIds: z
    .array(z.string())
    .min(1)
    .max(LIMITS.sizesPerJobMax)
    .describe("sizeIds of that contract, from list_sizes, each once. Never invent them."),
  outputFormat: outputFormatSchema
    .optional()
    .describe("Static: png (default), jpg, webp. Animated: gif (default), webp, apng, html5, mp4."),
  network: networkSchema.optional().describe("Ad server of html5; google when absent."),
  clickUrl: z.string().optional().describe("html5 needs it: the https address that a click leads to."),
  motion: motionSchema.optional().describe("static (default) or animated."),
  assetIds: slotArguments.describe(
    "assetId of each filled slot; at least one picture or logo. `product`, `person` and `device` go with no other picture but `background`.",
  ),
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
    .optional(),
  brandId: z
    .uuid()
    .optional()
    .describe("A saved brand, from list_brands. Other arguments win over its values."),
  brand: z
    .object({
      primaryColor: colour(),
      backgroundColor: colour(),
      textColor: colour(),
      accentColor: colour(),
      buttonColor: colour(),
      buttonTextColor: colour(),
    })
    .optional(),
  buttonStyle: z.enum(BUTTON_STYLES).optional(),
  look: z.enum(LOOK_IDS).optional().describe("Style; classic when absent."),
  variant: z.int().min(1).max(3).optional().describe("Rank of the composition; 1 when absent."),
  composition: z.enum(COMPOSITIONS).optional(),
  scale: z.number().optional().describe("2: twice the pixels."),
  placements: described(
    `Picture slot (${PICTURE_SLOT_IDS.join(", ")}) to \`{ focalPoint: { x, y } }\`, the point to keep in sight, or ` +
      "`{ keep: { x, y, width, height } }`, the area to show whole; in shares 0..1 of the picture.",
  ),
  overrides: described(
    "selectedSizeId to its own copy, placements, variant, composition, scale; an empty text removes the pack's.",
  ),
};

export const previewArguments = createPreviewSchema;

export const SHOWN_PREVIEW_ARGUMENTS = {
  ...SHOWN_PACK_ARGUMENTS,
  frame: frameSchema.optional().describe("Of an animation: first, middle or last (default)."),
};

/** The caller's own name for one order, as in the API's header. */
const idempotencyKey = z.string().min(1).max(LIMITS.idempotencyKeyCharactersMax);

export const orderArguments = strictBody({ ...packRequestSchema.shape, idempotencyKey }).superRefine(
  checkOldPrices,
);

export const SHOWN_ORDER_ARGUMENTS = {
  ...SHOWN_PACK_ARGUMENTS,
  idempotencyKey: idempotencyKey.describe(
    "Your own new name for this order, for instance a UUID. Repeat it with the same arguments after an error or a " +
      "lost answer: the pack is then made and charged once.",
  ),
};

/** What is ordered, without the name of the order. */
export const packRequestOf = ({
  idempotencyKey: _,
  ...request
}: z.infer<typeof orderArguments>): PackRequest => request;
