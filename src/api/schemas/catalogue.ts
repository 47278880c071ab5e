import { z } from "@hono/zod-openapi";

/** The catalogue: contracts, their sizes, and the source of each rule. */

export const motionSchema = z.enum(["static", "animated"]);
export const outputFormatSchema = z.enum(["png", "jpg", "webp", "gif", "apng", "html5", "mp4"]);

const sourceSchema = z.object({
  sourceId: z.string().openapi({ example: "iab-2017" }),
  title: z.string().openapi({ example: "IAB New Standard Ad Unit Portfolio (2017)" }),
  url: z.url(),
  readOn: z.iso.date(),
  confirmed: z.boolean().openapi({ description: "`false` if the value comes from a secondary source." }),
});

const safeAreaSchema = z.object({ top: z.int(), right: z.int(), bottom: z.int(), left: z.int() });

const sizeSchema = z
  .object({
    sizeId: z.string().openapi({ example: "iab-300x250" }),
    group: z.string().openapi({ example: "iab" }),
    width: z.int().openapi({ example: 300 }),
    height: z.int().openapi({ example: 250 }),
    byteCap: z
      .int()
      .nullable()
      .openapi({ description: "Maximum bytes per file; null if no limit is published.", example: 150000 }),
    byteCapSourceId: z.string().nullable().openapi({ example: "iab-2017" }),
    safeArea: safeAreaSchema.nullable().openapi({
      description: "Insets in pixels that must stay free of text, button and logo; null if there are none.",
      example: null,
    }),
    safeAreaSourceId: z.string().nullable().openapi({ example: null }),
    needsBorder: z.boolean(),
    borderSourceId: z.string().nullable().openapi({ example: "google-studio" }),
    animation: z.object({
      durationMsMax: z
        .int()
        .openapi({ description: "Maximum total duration of all plays, in milliseconds." }),
      durationSourceId: z.string().openapi({ example: "house-safe-default" }),
      framesPerSecondMax: z.number(),
      framesPerSecondSourceId: z.string().openapi({ example: "house-safe-default" }),
      loopsMax: z.int().openapi({ description: "Maximum number of plays; then the animation stops." }),
      loopsSourceId: z.string().openapi({ example: "house-safe-default" }),
      framesMax: z.int().nullable(),
      framesSourceId: z.string().nullable().openapi({ example: null }),
      backupBytesMax: z.int().nullable(),
      backupSourceId: z.string().nullable().openapi({ example: "google-studio" }),
    }),
    banner: z
      .object({
        loadBytesMax: z.int(),
        loadSourceId: z.string().openapi({ example: "iab-2017" }),
        filesMax: z.int(),
        filesSourceId: z.string().openapi({ example: "iab-2017" }),
      })
      .optional()
      .openapi({ description: "Limits of HTML5 banners. Absent if the network accepts none." }),
    video: z
      .object({
        durationMsMin: z.int(),
        durationMsMax: z.int(),
        framesPerSecondMax: z.number(),
        bytesMax: z.int(),
        bitsPerSecondMin: z.int().nullable(),
        sourceId: z.string().openapi({ example: "linkedin-video" }),
      })
      .optional()
      .openapi({ description: "Limits of videos. Absent if the network accepts none in this size." }),
    acceptedFormats: z.array(outputFormatSchema),
    scale2SourceId: z.string().optional().openapi({
      description: "Source that documents 2x files. Present only if `scale` 2 is accepted.",
      example: "dv360-3017252",
    }),
    sourceIds: z.array(z.string()).openapi({ example: ["iab-2017"] }),
  })
  .openapi("Size");

export const contractSchema = z
  .object({
    contractId: z.string().openapi({ example: "display.v1" }),
    title: z.string().openapi({ example: "Display advertising: IAB, Google Ads and Amazon banners" }),
    sizes: z.array(sizeSchema),
    staticFormats: z.array(z.enum(["png", "jpg", "webp"])),
    animatedFormats: z.array(z.enum(["gif", "webp", "apng", "html5", "mp4"])),
    copyFields: z.array(
      z.object({ field: z.enum(["headline", "subheadline", "cta", "disclaimer"]), charactersMax: z.int() }),
    ),
    prices: z.object({ static: z.int(), animated: z.int() }).openapi({ description: "Credits per size." }),
    sources: z.array(sourceSchema),
  })
  .openapi("Contract");

/** A contract in a list, without its sizes. */
const contractSummarySchema = z
  .object({
    contractId: z.string().openapi({ example: "display.v1" }),
    title: z.string().openapi({ example: "Display advertising: IAB, Google Ads and Amazon banners" }),
    sizeCount: z.int().openapi({ example: 37 }),
    groups: z.array(z.string()).openapi({ example: ["iab", "gads", "amazon"] }),
  })
  .openapi("ContractSummary");

export const contractListSchema = z.object({ items: z.array(contractSummarySchema) }).openapi("ContractList");
