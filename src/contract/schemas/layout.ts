import { z } from "@hono/zod-openapi";

/** What the layout did with the inputs. Pixels of the size, except crops, which are pixels of the source. */

const boxSchema = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .openapi("Box");

const elementRoleSchema = z.enum([
  "hero",
  "secondary_hero",
  "background",
  "logo",
  "headline",
  "subheadline",
  "cta",
  "disclaimer",
]);

const elementSchema = z.object({
  role: elementRoleSchema,
  box: boxSchema,
  fontSizePx: z.number().optional().openapi({ description: "Of text." }),
  lines: z.array(z.string()).optional().openapi({ description: "Of text, as broken, in reading order." }),
  contrastRatio: z
    .number()
    .optional()
    .openapi({ description: "Of text and button: the worst ratio measured on the pixels behind." }),
});

const cropSchema = z.object({
  slot: z.enum(["logo", "background", "media", "secondaryMedia", "product", "person", "device"]),
  shown: boxSchema.openapi({ description: "Part of the upright source that is shown." }),
  sourceWidth: z.number(),
  sourceHeight: z.number(),
  focalPoint: z.object({ x: z.number(), y: z.number() }),
});

const adjustmentSchema = z.object({
  code: z.enum([
    "text_shrunk",
    "text_dropped",
    "scrim_added",
    "plate_added",
    "border_added",
    "colour_changed",
    "profile_approximated",
    "quality_reduced",
    "frames_reduced",
  ]),
  element: elementRoleSchema.nullable(),
  message: z.string(),
});

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
    elements: z.array(elementSchema),
    crops: z.array(cropSchema),
    adjustments: z.array(adjustmentSchema),
  })
  .openapi("Layout");
