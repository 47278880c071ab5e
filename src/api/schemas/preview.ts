import { z } from "@hono/zod-openapi";
import { PREVIEW_PROTECTIONS } from "../preview-quota.ts";
import { COMPLIANCE_EXAMPLE, complianceSchema } from "./artifact.ts";
import { motionSchema, outputFormatSchema } from "./catalogue.ts";
import { checkOldPrices } from "./copy.ts";
import { JOB_FAILURE_CODES, PACK_EXAMPLE, packShape } from "./job.ts";
import { LAYOUT_EXAMPLE, layoutSchema } from "./layout.ts";
import { sha256Schema, timestampSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

export const frameSchema = z.enum(["first", "middle", "last"]).openapi("PreviewFrame", {
  description:
    "Frame of an animation to render. `last` (default) is the still that ships with the animation; `middle` is " +
    "halfway to the moment when motion stops. Not allowed for static packs. `predicted` is null for `first` and " +
    "`middle`.",
});

/** Body of `POST /previews`. */
export const createPreviewSchema = strictBody({ ...packShape, frame: frameSchema.optional() })
  .superRefine(checkOldPrices)
  .superRefine(({ motion, frame }, context) => {
    if (frame === undefined || motion === "animated") return;
    const message = 'is for `motion` "animated"; a static pack has one picture';
    context.addIssue({ code: "custom", path: ["frame"], message });
  })
  .openapi("CreatePreview", { example: PACK_EXAMPLE });
export type CreatePreviewRequest = z.infer<typeof createPreviewSchema>;

const protectionSchema = z.enum(PREVIEW_PROTECTIONS).openapi("PreviewProtection", {
  description:
    "`watermarked-lowres` (longest edge at most 640 px) without paid access, `watermarked` (1080 px) with credits " +
    "or a subscription, `none` (1080 px) with unlimited access. A trial's credits are not paid access.",
});

export const allowanceSchema = z.object({
  limit: z.int().min(0),
  used: z.int().min(0),
  remaining: z.int().min(0),
  resetsAt: timestampSchema,
});

const QUOTA_EXAMPLE = {
  product: { limit: 30, used: 2, remaining: 28, resetsAt: "2026-06-19T00:00:00.000Z" },
  burst: { limit: 6, used: 1, remaining: 5, resetsAt: "2026-06-18T12:01:00.000Z" },
  protection: "watermarked" as const,
};

export const previewQuotaSchema = z
  .object({
    product: allowanceSchema.openapi({
      description:
        "Previews rendered today (UTC), shared by the workspace. Previews in progress count as used.",
    }),
    burst: allowanceSchema.openapi({ description: "Previews rendered for this key in the current minute." }),
    protection: protectionSchema,
  })
  .openapi("PreviewQuota", { example: QUOTA_EXAMPLE });

export const predictedSchema = z
  .object({
    outputFormat: outputFormatSchema,
    motion: motionSchema,
    byteLength: z
      .int()
      .nullable()
      .openapi({ description: "Length in bytes; null if the file cannot be made." }),
    compliance: complianceSchema
      .nullable()
      .openapi({ description: "Compliance of the file; null if it cannot be made." }),
    failure: z
      .object({ code: z.enum(JOB_FAILURE_CODES), message: z.string() })
      .nullable()
      .openapi({
        description: "Why a job of this size would fail and be refunded; null if it would succeed.",
      }),
  })
  .openapi("PredictedOutput", {
    description:
      "The paid file of this size, rendered in full but not returned. Null if no byte cap is published, and for " +
      "outputs too large to render for free: stills over 1.5 megapixels, animations over 320,000 pixels.",
  });

/** A preview as it is cached: everything that does not depend on the time of the request. */
export const cachedPreviewSchema = z.object({
  previewId: sha256Schema.openapi({
    description: "Hash of the inputs. The same inputs have the same id at any time and for any caller.",
  }),
  image: z.object({
    contentType: z.literal("image/png"),
    width: z.int().openapi({ example: 300 }),
    height: z.int().openapi({ example: 250 }),
    byteLength: z.int(),
    sha256: sha256Schema,
    base64: z.string().openapi({ example: "iVBORw0KGgo=" }),
  }),
  protection: protectionSchema,
  layout: layoutSchema.openapi({ description: "Layout report of the paid file, in pixels of that file." }),
  predicted: predictedSchema.nullable(),
});
export type CachedPreview = z.infer<typeof cachedPreviewSchema>;

export const previewSchema = cachedPreviewSchema
  .extend({
    cached: z
      .boolean()
      .openapi({ description: "`true` if nothing was rendered and the allowance is unchanged." }),
    quota: previewQuotaSchema,
  })
  .openapi("Preview", {
    example: {
      previewId: "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
      image: {
        contentType: "image/png",
        width: 300,
        height: 250,
        byteLength: 38414,
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        base64: "iVBORw0KGgo=",
      },
      protection: "watermarked",
      layout: LAYOUT_EXAMPLE,
      predicted: {
        outputFormat: "png",
        motion: "static",
        byteLength: 41877,
        compliance: COMPLIANCE_EXAMPLE,
        failure: null,
      },
      cached: false,
      quota: QUOTA_EXAMPLE,
    },
  });
