import { z } from "@hono/zod-openapi";
import { layoutSchema } from "./layout.ts";
import { sha256Schema, timestampSchema } from "./primitives.ts";

const protectionSchema = z.enum(["watermarked-lowres", "watermarked", "none"]).openapi("PreviewProtection");

const allowanceSchema = z.object({
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
  resetsAt: timestampSchema,
});

export const previewQuotaSchema = z
  .object({
    product: allowanceSchema.openapi({ description: "Shared by the workspace." }),
    burst: allowanceSchema.openapi({ description: "Of the key." }),
    protection: protectionSchema,
  })
  .openapi("PreviewQuota", {
    example: {
      product: { limit: 30, used: 2, remaining: 28, resetsAt: "2026-06-19T00:00:00.000Z" },
      burst: { limit: 6, used: 1, remaining: 5, resetsAt: "2026-06-18T12:01:00.000Z" },
      protection: "watermarked",
    },
  });

export const previewSchema = z
  .object({
    previewId: sha256Schema.openapi({
      description: "Identity of the inputs: the same for the same picture.",
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
    cached: z.boolean(),
    quota: previewQuotaSchema,
    layout: layoutSchema,
  })
  .openapi("Preview");
