import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { MIME_TYPES, SLOT_IDS } from "../slots.ts";
import { timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** Rules of slots and sizes are held by src/domains/assets/intent-rules.ts, which names the rule that is broken. */
const pixels = z
  .number()
  .optional()
  .openapi({
    type: "integer",
    minimum: 1,
    maximum: LIMITS.imageEdgePxMax,
    description:
      "Upright pixels. Required for PNG, JPEG and WebP, omitted for fonts. Optional for SVG, which has no pixels: the " +
      "least short edge of its slot does not hold for it, a stated size is held to the greatest edge and area alone, " +
      "and the asset shows the size that the file itself states, whatever that is.",
  });

export const createUploadSchema = strictBody({
  slotId: z.string().openapi({ enum: [...SLOT_IDS] }),
  fileName: z.string().openapi({
    minLength: 1,
    maxLength: LIMITS.fileNameCharactersMax,
    description: "A name without a folder and without control characters.",
  }),
  mimeType: z.string().openapi({ enum: [...MIME_TYPES], description: "A type that the slot accepts." }),
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
    url: z.url().openapi({ description: "Where to send the bytes, with the same API key." }),
    method: z.literal("PUT"),
    headers: z.record(z.string(), z.string()).openapi({
      description: "Headers that must be sent with the bytes.",
    }),
    expiresAt: timestampSchema,
    maxBytes: z.int().openapi({ description: "Bytes that are taken: the byteLength of the intent." }),
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
    .openapi({ description: "Size of the uploaded file." }),
}).openapi("CompleteUpload", {
  example: { assetId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71", byteLength: 482113 },
});

/** Either names the upload; both may, when they agree. */
export const uploadObjectQuery = z.object({
  uploadId: uuidSchema.optional(),
});
export const uploadObjectHeaders = z.object({
  "x-service-cc-upload-id": uuidSchema.optional(),
});

/** Content types that the upload routes take (API §4.24). */
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
