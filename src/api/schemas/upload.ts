import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { MIME_TYPES, SLOT_IDS } from "../slots.ts";
import { timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** src/domains/assets/intent-rules.ts checks the rules of slots and sizes and names the broken rule. */
const pixels = z
  .number()
  .optional()
  .openapi({
    type: "integer",
    minimum: 1,
    maximum: LIMITS.imageEdgePxMax,
    description:
      "Edge length in pixels, after the EXIF orientation is applied. Required for PNG, JPEG and WebP; omitted for fonts. " +
      "Optional for SVG, where only the maximum edge and area are checked, and the asset shows the size in the " +
      "file.",
  });

export const createUploadSchema = strictBody({
  slotId: z.string().openapi({ enum: [...SLOT_IDS] }),
  fileName: z.string().openapi({
    minLength: 1,
    maxLength: LIMITS.fileNameCharactersMax,
    description: "File name, without folders or control characters.",
  }),
  mimeType: z.string().openapi({ enum: [...MIME_TYPES], description: "A media type that the slot accepts." }),
  byteLength: z.number().openapi({ type: "integer", minimum: 1, maximum: LIMITS.uploadBytesMax }),
  width: pixels,
  height: pixels,
}).openapi("CreateUpload", {
  example: {
    slotId: "media",
    fileName: "summer-campaign.jpg",
    mimeType: "image/jpeg",
    byteLength: 482113,
    width: 2400,
    height: 1600,
  },
});

export const uploadIntentSchema = z
  .object({
    uploadId: uuidSchema,
    assetId: uuidSchema,
    url: z.url().openapi({ description: "URL to send the bytes to, with the same API key." }),
    method: z.literal("PUT"),
    headers: z.record(z.string(), z.string()).openapi({
      description: "Headers to send with the bytes.",
    }),
    expiresAt: timestampSchema,
    maxBytes: z.int().openapi({ description: "Maximum bytes: the `byteLength` of the intent." }),
  })
  .openapi("UploadIntent", {
    example: {
      uploadId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e72",
      assetId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
      url: "https://packs.example/api/v1/assets/upload-object?uploadId=0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e72",
      method: "PUT",
      headers: {
        "Content-Type": "image/jpeg",
        "x-service-cc-upload-id": "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e72",
      },
      expiresAt: "2026-06-18T12:15:00.000Z",
      maxBytes: 482113,
    },
  });

export const completeUploadSchema = strictBody({
  assetId: uuidSchema,
  byteLength: z
    .int()
    .min(1)
    .max(LIMITS.uploadBytesMax)
    .openapi({ description: "Length of the uploaded file in bytes." }),
}).openapi("CompleteUpload", {
  example: { assetId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71", byteLength: 482113 },
});

/** At least one names the upload; if both do, they must agree. */
export const uploadObjectQuery = z.object({
  uploadId: uuidSchema.optional(),
});
export const uploadObjectHeaders = z.object({
  "x-service-cc-upload-id": uuidSchema.optional(),
});

/** Content types that the upload routes accept (API §4.24). */
export const UPLOAD_CONTENT_TYPES = [
  "application/octet-stream",
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/svg+xml",
  "font/ttf",
  "font/otf",
] as const;

export type CreateUploadBody = z.infer<typeof createUploadSchema>;
export type CompleteUploadBody = z.infer<typeof completeUploadSchema>;
export type UploadIntentBody = z.infer<typeof uploadIntentSchema>;
