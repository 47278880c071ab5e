import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { SLOT_IDS } from "../slots.ts";
import { artifactSchema } from "./artifact.ts";
import { addressedAssetSchema } from "./asset.ts";
import { brandAssetIdsSchema, brandIdSchema, buttonStyleSchema } from "./brand.ts";
import { motionSchema, outputFormatSchema } from "./catalogue.ts";
import { checkOldPrices, copySchema, shownCopySchema } from "./copy.ts";
import {
  brandSchema,
  compositionSchema,
  lookNameSchema,
  lookSchema,
  overridesSchema,
  placementsSchema,
  scaleSchema,
  shownBrandSchema,
  shownOverridesSchema,
  shownPlacementsSchema,
  variantSchema,
} from "./design.ts";
import { clickUrlSchema, networkSchema } from "./landing.ts";
import { packStateShape } from "./pack-state.ts";
import { nameOf, pageByTimeQuery, pageOf, sha256Schema, timestampSchema, uuidSchema } from "./primitives.ts";
import { nameProto, strictBody } from "./strict-body.ts";

/** Requests for jobs and previews, and the job resource. */

/** Longest id that is looked up in the catalogue; all known ids are shorter. */
const CATALOGUE_ID_CHARACTERS_MAX = 64;
const catalogueId = z.string().min(1).max(CATALOGUE_ID_CHARACTERS_MAX);

const slotShape = Object.fromEntries(SLOT_IDS.map((slotId) => [slotId, uuidSchema.optional()]));

/** Slot → asset id. Accepts unknown slots, because they get 422, not 400 (API §4.34). */
const assetIdsSchema = z.preprocess(
  nameProto,
  z
    .object(slotShape)
    .catchall(uuidSchema)
    .openapi({
      description: `Asset id of each filled slot. Slots: ${SLOT_IDS.join(", ")}.`,
      additionalProperties: false,
    }),
);

/** Slot → URL of its file. Accepts unknown slots, as `assetIds` does. */
const addressedAssetsSchema = z.preprocess(
  nameProto,
  z
    .object(Object.fromEntries(SLOT_IDS.map((slotId) => [slotId, addressedAssetSchema.optional()])))
    .catchall(addressedAssetSchema)
    .openapi({
      description:
        "URL per slot, instead of an id in `assetIds`. The files are imported before the job is accepted. Also " +
        "requires the scope `assets:write`.",
      additionalProperties: false,
    }),
);

/** Maximum number of names in a message; more would not help the reader. */
const DUPLICATES_SHOWN_MAX = 10;

function duplicatesOf(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const id of ids) (seen.has(id) ? repeated : seen).add(id);
  return [...repeated].slice(0, DUPLICATES_SHOWN_MAX);
}

/** Members of a pack request. Defaults are filled in later, so that a body's stored hash does not depend on them. */
export const packShape = {
  contractId: catalogueId.openapi({ example: "display.v1" }),
  selectedSizeIds: z
    .array(catalogueId)
    .min(1)
    .max(LIMITS.sizesPerJobMax)
    .superRefine((ids, context) => {
      const duplicates = duplicatesOf(ids);
      if (duplicates.length > 0) {
        context.addIssue({ code: "custom", message: `names a size twice: ${duplicates.join(", ")}` });
      }
    })
    .openapi({ example: ["iab-300x250", "iab-728x90"], uniqueItems: true }),
  outputFormat: z
    .string()
    .min(1)
    .max(CATALOGUE_ID_CHARACTERS_MAX)
    .optional()
    .openapi({
      type: "string",
      enum: [...outputFormatSchema.options],
      description:
        "File format. Static: `png` (default), `jpg`, `webp`. Animated: `gif` (default), `webp`, `apng`, `html5` " +
        "for banners, `mp4` for videos.",
      example: "png",
    }),
  motion: motionSchema
    .optional()
    .openapi({ description: "`static` (default) for stills, `animated` for animations and videos." }),
  network: networkSchema.optional().openapi({
    description:
      "Network whose click tag an HTML5 banner uses. `google` (default) is for Google Ads, Display & Video 360 and " +
      "Campaign Manager 360.",
  }),
  clickUrl: clickUrlSchema.optional().openapi({
    description:
      "Target of a click on an HTML5 banner, until the ad server replaces it (`xandr`: not written into the file): an " +
      "`https` URL, or a click macro of the network, optionally followed by an `https` URL. Required for `outputFormat` `html5`, not allowed otherwise.",
    example: "https://example.com/spring",
  }),
  assetIds: assetIdsSchema,
  copy: copySchema.optional(),
  brandId: brandIdSchema.optional(),
  brand: brandSchema.optional(),
  buttonStyle: buttonStyleSchema.optional(),
  look: lookNameSchema.optional(),
  variant: variantSchema("Composition variant of every size; default 1, the best.").optional(),
  composition: compositionSchema("Composition of every size; default `auto`.").optional(),
  scale: scaleSchema(
    "Pixels of a file per pixel of its size; default 1. With 2, the same design has twice the pixels for the same " +
      "price. Only for sizes with a `scale2SourceId` in their contract.",
  ).optional(),
  placements: placementsSchema.optional(),
  overrides: overridesSchema.optional(),
};

const EXAMPLE_SIZES = {
  contractId: "display.v1",
  selectedSizeIds: ["iab-300x250", "iab-728x90"],
  outputFormat: "png",
};
const EXAMPLE_DESIGN = {
  assetIds: {
    media: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
    logo: "0199f0c4-91d2-7e55-a1c8-7b3e6d2f0a94",
  },
  copy: { headline: "Two wheels, no excuses", cta: "Ride one today" },
  brand: { primaryColor: "#0b5fff" },
  look: "bold",
};
const EXAMPLE_DETAILS = {
  placements: { media: { focalPoint: { x: 0.5, y: 0.35 } } },
  overrides: { "iab-728x90": { copy: { headline: "Two wheels" } } },
};
export const PACK_EXAMPLE = { ...EXAMPLE_SIZES, ...EXAMPLE_DESIGN, ...EXAMPLE_DETAILS };

/** Body of `POST /jobs/quote`. `POST /jobs` and `POST /previews` share its members. */
export const packRequestSchema = strictBody(packShape)
  .superRefine(checkOldPrices)
  .openapi("PackRequest", { example: PACK_EXAMPLE });

const notifySchema = strictBody({
  destinationId: uuidSchema.openapi({ description: "A saved webhook of the workspace." }),
}).openapi("Notify");

/** The resources that a body of `POST /jobs` refers to. */
export const namedInOrderSchema = z.object({
  assetIds: assetIdsSchema.optional(),
  notify: notifySchema.optional(),
});

const nameSchema = nameOf(LIMITS.jobNameCharactersMax, "Spring sale");

/** Body of `PATCH /jobs/{jobId}`. */
export const updateJobSchema = strictBody({
  name: nameSchema.nullable().openapi({ description: "Display name; null removes it." }),
}).openapi("UpdateJob", { example: { name: "Spring sale" } });

/** Body of `POST /jobs`. */
export const createJobSchema = strictBody({
  ...packShape,
  assetIds: assetIdsSchema.optional(),
  assets: addressedAssetsSchema.optional(),
  notify: notifySchema.optional().openapi({
    description:
      "Webhook that receives a message when the job ends, even if it does not subscribe to the event. Requires the " +
      "scope `deliveries:write`. Not part of the render fingerprint.",
  }),
  name: nameSchema
    .optional()
    .openapi({ description: "Display name of the pack. Not part of the render fingerprint." }),
  versionOf: uuidSchema.optional().openapi({
    description:
      "Id of a job in the workspace that this job is a new version of. Not part of the render fingerprint.",
  }),
})
  .superRefine(checkOldPrices)
  .superRefine(({ assetIds, assets }, context) => {
    if (assetIds === undefined && assets === undefined) {
      context.addIssue({
        code: "custom",
        path: ["assetIds"],
        message: "is required where `assets` is absent",
      });
    }
    for (const slotId of Object.keys(assets ?? {})) {
      if (assetIds?.[slotId] === undefined) continue;
      const message = `names a slot that \`assetIds\` fills, too: a slot takes one file`;
      context.addIssue({ code: "custom", path: ["assets", slotId], message });
    }
  })
  .openapi("CreateJob", { example: PACK_EXAMPLE });

export type PackRequest = z.infer<typeof packRequestSchema>;
export type CreateJobBody = z.infer<typeof createJobSchema>;
/** A job request whose files are all in the workspace. */
export type CreateJobRequest = PackRequest & Omit<CreateJobBody, "assetIds" | "assets">;

export const JOB_STATUSES = ["queued", "running", "succeeded", "failed", "canceled"] as const;
const jobStatusSchema = z.enum(JOB_STATUSES);

/** Failures caused by the inputs of the job, not by the service. */
export const INPUT_FAILURE_CODES = [
  "ASSET_UNREADABLE",
  "FONT_UNREADABLE",
  "ASSET_EMPTY",
  "HEADLINE_DOES_NOT_FIT",
  "BYTE_CAP_UNREACHABLE",
  "NO_VISUAL_ASSET",
  "FORMAT_UNSUPPORTED",
] as const;

/** Why a job failed. The renderer reports the failures of the inputs; the last two are failures of the service. */
export const JOB_FAILURE_CODES = [...INPUT_FAILURE_CODES, "ASSET_UNAVAILABLE", "RENDERING_FAILED"] as const;

export const jobSchema = z
  .object({
    jobId: uuidSchema,
    status: jobStatusSchema,
    livemode: z.boolean().openapi({
      description:
        "`false` if a test key ordered the job: it is watermarked, free, and deleted after two days.",
    }),
    contractId: z.string(),
    selectedSizeIds: z.array(z.string()),
    outputFormat: outputFormatSchema,
    motion: motionSchema,
    network: networkSchema
      .nullable()
      .openapi({ description: "Network of HTML5 banners; null for other formats." }),
    clickUrl: z
      .string()
      .nullable()
      .openapi({ description: "Click target of HTML5 banners; null for other formats.", example: null }),
    assetIds: z.object(slotShape),
    copy: shownCopySchema,
    ...packStateShape,
    brandAssetIds: brandAssetIdsSchema.openapi({
      description: "The brand's second logo and font, in addition to `assetIds.logo` and `assetIds.font`.",
    }),
    brand: shownBrandSchema,
    buttonStyle: buttonStyleSchema.nullable(),
    look: lookSchema,
    variant: variantSchema("Composition variant of every size without its own."),
    composition: compositionSchema("Composition of every size without its own."),
    scale: scaleSchema("Scale of every size without its own."),
    placements: shownPlacementsSchema,
    overrides: shownOverridesSchema.optional().openapi({
      description: "Settings of single sizes, by size id. Absent in lists; `GET /jobs/{jobId}` returns them.",
    }),
    expectedCost: z.object({ amount: z.int(), unit: z.literal("credit") }).openapi({
      description:
        "Cost of the job, reserved when the job is accepted. For a test job: the cost of a live one.",
    }),
    renderFingerprint: sha256Schema.openapi({
      description: "Hash of all inputs that affect the files. Equal fingerprints mean equal bytes.",
    }),
    progress: z
      .object({ total: z.int(), completed: z.int() })
      .openapi({ description: "Outputs rendered so far, and their total." }),
    artifactId: uuidSchema
      .nullable()
      .openapi({ description: "Id of the artifact; null until the job has succeeded." }),
    artifact: artifactSchema.optional(),
    notify: z.object({ destinationId: uuidSchema }).nullable().openapi({
      description: "Webhook that the job request named; null if it named none.",
    }),
    failure: z
      .object({ code: z.enum(JOB_FAILURE_CODES), message: z.string(), refunded: z.boolean() })
      .nullable(),
    createdAt: timestampSchema,
    startedAt: timestampSchema.nullable(),
    finishedAt: timestampSchema.nullable(),
  })
  .openapi("Job", {
    example: {
      jobId: "0199f0c7-9e41-7b02-b1d7-0a4e8c6f5132",
      status: "queued",
      livemode: true,
      ...EXAMPLE_SIZES,
      motion: "static",
      ...EXAMPLE_DESIGN,
      ...{ network: null, clickUrl: null, brandAssetIds: {}, buttonStyle: null },
      ...{ name: "Spring sale", brandId: null, versionOf: null, approval: "none" as const },
      ...{ variant: 1, composition: "auto", scale: 1 },
      ...EXAMPLE_DETAILS,
      expectedCost: { amount: 2, unit: "credit" },
      renderFingerprint: "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
      progress: { total: 2, completed: 0 },
      artifactId: null,
      notify: null,
      failure: null,
      createdAt: "2026-06-18T12:00:00.000Z",
      startedAt: null,
      finishedAt: null,
    },
  });

/** Cost and fingerprint of a job if it were created now. */
export const jobQuoteSchema = z
  .object({
    expectedCost: z.object({ amount: z.int(), unit: z.literal("credit") }),
    renderFingerprint: sha256Schema.openapi({
      description: "Fingerprint that the job would have. It changes with the engine version.",
    }),
  })
  .openapi("JobQuote", {
    example: {
      expectedCost: { amount: 2, unit: "credit" },
      renderFingerprint: "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
    },
  });

export const jobPageSchema = pageOf(jobSchema).openapi("JobPage");

export const jobListQuery = z.object({
  ...pageByTimeQuery,
  status: jobStatusSchema.optional(),
  renderFingerprint: sha256Schema.optional().openapi({
    description:
      "Only jobs with this fingerprint that can be reused: queued, running, or succeeded with stored files.",
  }),
  versionOf: uuidSchema.optional().openapi({
    description: "Only this job, which must be the first version of a pack, and its later versions.",
  }),
});
