import { z } from "@hono/zod-openapi";
import { MIME_TYPES, SLOT_IDS } from "../slots.ts";
import {
  beforeTimeQuery,
  limitQuery,
  pageOf,
  sha256Schema,
  timestampSchema,
  uuidSchema,
} from "./primitives.ts";

export const ASSET_STATUSES = ["processing", "ready", "rejected"] as const;

/** Why a file was not accepted. Permanent: the same bytes are refused again. */
export const REJECTION_CODES = [
  "NOT_WHAT_IT_CLAIMS",
  "TRUNCATED",
  "UNSUPPORTED",
  "TOO_LARGE",
  "TOO_SMALL",
  "DIMENSIONS_DIFFER",
  "FORBIDDEN_CONTENT",
  "EMPTY",
  "UPLOAD_EXPIRED",
] as const;

const slotIdSchema = z.enum(SLOT_IDS).openapi("SlotId");

export const rejectionSchema = z.object({ code: z.enum(REJECTION_CODES), message: z.string().min(1) });

export const assetSchema = z
  .object({
    assetId: uuidSchema,
    slotId: slotIdSchema,
    status: z.enum(ASSET_STATUSES),
    fileName: z.string().openapi({ example: "summer-campaign.jpg" }),
    mimeType: z.enum(MIME_TYPES),
    byteLength: z.int(),
    width: z.int().nullable().openapi({
      description:
        "Upright pixels, read from the file once it is ready and as declared before; null for fonts.",
    }),
    height: z.int().nullable(),
    sha256: sha256Schema.nullable().openapi({ description: "Of the bytes; null until they are verified." }),
    rejection: rejectionSchema.nullable(),
    createdAt: timestampSchema,
    readyAt: timestampSchema.nullable(),
    deletedAt: timestampSchema.nullable(),
  })
  .openapi("Asset", {
    example: {
      assetId: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
      slotId: "media",
      status: "ready",
      fileName: "summer-campaign.jpg",
      mimeType: "image/jpeg",
      byteLength: 482113,
      width: 2400,
      height: 1600,
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      rejection: null,
      createdAt: "2026-06-18T12:00:00.000Z",
      readyAt: "2026-06-18T12:00:04.000Z",
      deletedAt: null,
    },
  });

export const assetPageSchema = pageOf(assetSchema).openapi("AssetPage");

export const assetListQuery = z.object({
  limit: limitQuery,
  before: beforeTimeQuery,
  slotId: slotIdSchema.optional().openapi({ description: "Only assets of this slot." }),
  status: z.enum(ASSET_STATUSES).optional().openapi({ description: "Only assets with this status." }),
  sha256: sha256Schema
    .optional()
    .openapi({ description: "Only assets whose bytes have this SHA-256: whether a file is there already." }),
});

export type AssetBody = z.infer<typeof assetSchema>;
export type Rejection = z.infer<typeof rejectionSchema>;
