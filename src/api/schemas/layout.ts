import { z } from "@hono/zod-openapi";

/** The layout report. Positions are pixels of the file; crops are pixels of the source. */

const boxSchema = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .openapi("Box");

export const elementRoleSchema = z.enum([
  "hero",
  "secondary_hero",
  "background",
  "logo",
  "headline",
  "subheadline",
  "cta",
  "disclaimer",
  "price",
  "old_price",
  "badge",
  "card",
]);

const elementSchema = z.object({
  role: elementRoleSchema,
  box: boxSchema,
  fontSizePx: z.number().optional().openapi({ description: "Font size in pixels. Only for text." }),
  lines: z
    .array(z.string())
    .optional()
    .openapi({ description: "Lines of text after line breaking, in reading order. Only for text." }),
  contrastRatio: z
    .number()
    .optional()
    .openapi({
      description:
        "Text and button: the lowest ratio measured against the pixels behind it. Logo: the ratio that four fifths " +
        "of its edge reach.",
    }),
});

const cropSchema = z.object({
  slot: z.enum(["logo", "background", "media", "secondaryMedia", "product", "person", "device"]),
  shown: boxSchema.openapi({
    description: "Visible part of the source, after its EXIF orientation is applied.",
  }),
  sourceWidth: z.number(),
  sourceHeight: z.number(),
  focalPoint: z.object({ x: z.number(), y: z.number() }),
});

const adjustmentSchema = z.object({
  code: z.enum([
    "text_shrunk",
    "text_dropped",
    "element_dropped",
    "scrim_added",
    "plate_added",
    "border_added",
    "colour_changed",
    "profile_approximated",
    "quality_reduced",
    "frames_reduced",
    "upscaled",
    "arrangement_changed",
    "face_cut",
    "subject_cut",
    "logo_recoloured",
    "logo_low_contrast",
  ]),
  element: elementRoleSchema.nullable(),
  message: z.string(),
});

export const LAYOUT_EXAMPLE = {
  family: "campaign",
  shape: "landscape",
  elements: [
    { role: "hero", box: { x: 0, y: 0, width: 300, height: 250 } },
    {
      role: "headline",
      box: { x: 16, y: 150, width: 220, height: 48 },
      fontSizePx: 22,
      lines: ["Two wheels,", "no excuses"],
      contrastRatio: 7.4,
    },
  ],
  crops: [
    {
      slot: "media",
      shown: { x: 240, y: 0, width: 1920, height: 1600 },
      sourceWidth: 2400,
      sourceHeight: 1600,
      focalPoint: { x: 1180, y: 720 },
    },
  ],
  adjustments: [
    {
      code: "scrim_added",
      element: "headline",
      message: "A scrim of the surface colour lies behind the words, dense enough for a contrast of 4.5:1.",
    },
  ],
};

export const layoutSchema = z
  .object({
    family: z.enum(["campaign", "duo", "product", "person", "device", "scenery", "brand"]),
    shape: z.enum([
      "tiny_strip",
      "banner",
      "leaderboard",
      "landscape",
      "square",
      "portrait",
      "skyscraper",
      "story",
    ]),
    scale: z
      .literal(2)
      .optional()
      .openapi({
        type: "integer",
        enum: [2],
        description: "Pixels of the file per pixel of the size; default 1.",
      }),
    elements: z.array(elementSchema),
    crops: z.array(cropSchema),
    adjustments: z.array(adjustmentSchema),
  })
  .openapi("Layout", { example: LAYOUT_EXAMPLE });
