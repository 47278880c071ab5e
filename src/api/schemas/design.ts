import { z } from "@hono/zod-openapi";
import { COMPOSITIONS, LOOK_IDS, VARIANTS } from "#catalogue/looks.ts";
import { SCALES } from "#catalogue/scales.ts";
import { LIMITS } from "../limits.ts";
import { PICTURE_SLOT_IDS } from "../slots.ts";
import { copySchema, shownCopySchema } from "./copy.ts";
import { each } from "./primitives.ts";
import { nameProto, strictBody } from "./strict-body.ts";

/** The design of a pack: colours, look, variant, placements, and settings of single sizes. */

const colour = (example: string) =>
  z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, "must be a colour as #rrggbb")
    .transform((text) => text.toLowerCase())
    .optional()
    .openapi({ type: "string", pattern: "^#[0-9a-fA-F]{6}$", example });

export const brandSchema = strictBody({
  primaryColor: colour("#0b5fff"),
  backgroundColor: colour("#ffffff"),
  textColor: colour("#101418"),
  accentColor: colour("#e4572e"),
  buttonColor: colour("#0b5fff"),
  buttonTextColor: colour("#ffffff"),
}).openapi("Brand");

/** The colours of the request, as shown in a job. */
export const shownBrandSchema = z.object(each(brandSchema.keyof().options, () => z.string().optional()));

const LOOK_WORDS = `Style of the pack: ${LOOK_IDS.map((look) => `\`${look}\``).join(", ")}.`;
/** Longest name that is looked up; all known names are shorter. */
const LOOK_CHARACTERS_MAX = 64;

/** Accepts unknown names, as for contracts and formats: they get 422. */
export const lookNameSchema = z
  .string()
  .min(1)
  .max(LOOK_CHARACTERS_MAX)
  .openapi({
    type: "string",
    enum: [...LOOK_IDS],
    description: `${LOOK_WORDS} Default: \`classic\`.`,
    example: "bold",
  });

export const lookSchema = z.enum(LOOK_IDS).openapi({ description: LOOK_WORDS });

/** Returns a new schema for each use: a shared schema would keep the description of its first use. */
export const variantSchema = (description: string) =>
  z.literal(VARIANTS).openapi({ type: "integer", enum: [...VARIANTS], description, example: 1 });

const COMPOSITION_WORDS =
  "`full_bleed`: text on a photo that fills the canvas; `split`: text and image side by side, edge to edge; " +
  "`framed`: the image inside margins; `overlap`: text or a card across the edge of the image; `auto`: what suits " +
  "the images best. A composition that would cover or cut a subject is replaced, and the layout report says so.";

export const compositionSchema = (description: string) =>
  z.enum(COMPOSITIONS).openapi({ description: `${description} ${COMPOSITION_WORDS}`, example: "full_bleed" });

export const scaleSchema = (description: string) =>
  z.literal(SCALES).openapi({ type: "integer", enum: [...SCALES], description, example: 1 });

const share = (description: string, example: number) =>
  z.number().min(0).max(1).openapi({ description, example });

/** Width or height of a part of the image; greater than zero. */
const extent = (description: string, example: number) =>
  z
    .number()
    .gt(0, "must be greater than 0")
    .max(1)
    .openapi({ type: "number", exclusiveMinimum: 0, maximum: 1, description, example });

const pointShape = {
  x: share("Distance from the left edge, as a fraction of the image's width.", 0.5),
  y: share("Distance from the top edge, as a fraction of the image's height.", 0.35),
};

const keepShape = {
  x: share("Left edge of the area, as a fraction of the image's width.", 0.25),
  y: share("Top edge of the area, as a fraction of the image's height.", 0.1),
  width: extent("Width of the area, as a fraction of the image's width.", 0.5),
  height: extent("Height of the area, as a fraction of the image's height.", 0.8),
};

/** Tolerance for rounding in the sum of two floating-point numbers; far less than a pixel. */
const SHARE_SLACK = 1e-9;

const focalPointSchema = strictBody(pointShape).openapi("FocalPoint");

const keepSchema = strictBody(keepShape)
  .superRefine(({ x, y, width, height }, context) => {
    const leave = (path: string, edge: string) =>
      context.addIssue({ code: "custom", path: [path], message: `leaves the picture at its ${edge} edge` });
    if (x + width > 1 + SHARE_SLACK) leave("width", "right");
    if (y + height > 1 + SHARE_SLACK) leave("height", "bottom");
  })
  .openapi("KeepArea");

const placementSchema = strictBody({ focalPoint: focalPointSchema.optional(), keep: keepSchema.optional() })
  .refine(
    ({ focalPoint, keep }) => focalPoint !== undefined || keep !== undefined,
    "must have `focalPoint` or `keep`",
  )
  .refine(
    ({ focalPoint, keep }) => focalPoint === undefined || keep === undefined,
    "must have only one of the two, `focalPoint` or `keep`",
  )
  .openapi("Placement", { minProperties: 1, maxProperties: 1 });

export const placementsSchema = strictBody(each(PICTURE_SLOT_IDS, () => placementSchema.optional())).openapi(
  "Placements",
);

const overrideShape = () => ({
  variant: variantSchema("Composition variant of this size. It overrides the pack's.").optional(),
  composition: compositionSchema("Composition of this size. It overrides the pack's.").optional(),
  scale: scaleSchema("Scale of this size's files. It overrides the pack's.").optional(),
});

const overrideSchema = strictBody({
  copy: copySchema.optional(),
  placements: placementsSchema.optional(),
  ...overrideShape(),
}).openapi("Override");

/** Size id → settings of the size. Accepts sizes that are not selected: they get 422 (API §4.49). */
export const overridesSchema = z.preprocess(
  nameProto,
  z
    .record(z.string(), overrideSchema)
    .refine(
      (overrides) => Object.keys(overrides).length <= LIMITS.sizesPerJobMax,
      `must name at most ${LIMITS.sizesPerJobMax} sizes`,
    )
    .openapi({ maxProperties: LIMITS.sizesPerJobMax }),
);

/* Placements and overrides as shown in a job. Not strict, since responses may gain members. */

const shownPlacementSchema = z
  .object({
    focalPoint: z.object(pointShape).openapi("ShownFocalPoint").optional(),
    keep: z.object(keepShape).openapi("ShownKeepArea").optional(),
  })
  .openapi("ShownPlacement");

export const shownPlacementsSchema = z
  .object(each(PICTURE_SLOT_IDS, () => shownPlacementSchema.optional()))
  .openapi("ShownPlacements");

export const shownOverridesSchema = z.record(
  z.string(),
  z
    .object({
      copy: shownCopySchema.optional(),
      placements: shownPlacementsSchema.optional(),
      ...overrideShape(),
    })
    .openapi("ShownOverride"),
);
