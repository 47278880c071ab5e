import { z } from "@hono/zod-openapi";
import { ADDRESS_CHARACTERS_MAX, LIMITS } from "../limits.ts";
import { MIME_TYPES, SLOT_IDS } from "../slots.ts";
import { pageByTimeQuery, pageOf, sha256Schema, timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

export const ASSET_STATUSES = ["processing", "ready", "rejected"] as const;

/** Why an import failed. It may succeed later, once the cause is gone. */
const IMPORT_REJECTION_CODES = [
  "ADDRESS_REFUSED",
  "TOO_MANY_REDIRECTS",
  "SOURCE_REFUSED",
  "SOURCE_UNAVAILABLE",
  "IMPORT_EXPIRED",
  "IMPORT_FAILED",
] as const;

/** Why a file was rejected. Permanent: the same bytes are rejected again. */
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
  ...IMPORT_REJECTION_CODES,
] as const;

const slotIdSchema = z.enum(SLOT_IDS).openapi("SlotId");

export const rejectionSchema = z.object({ code: z.enum(REJECTION_CODES), message: z.string().min(1) });

const assetImportSchema = z.object({
  attempts: z.int().openapi({ description: "Number of requests for the file, including one in progress." }),
  nextAttemptAt: timestampSchema
    .nullable()
    .openapi({ description: "When the next attempt is due, UTC; null while one is in progress." }),
  lastFailure: rejectionSchema
    .nullable()
    .openapi({ description: "Why the last attempt failed; null if none has failed." }),
});

export const assetSchema = z
  .object({
    assetId: uuidSchema,
    slotId: slotIdSchema,
    status: z.enum(ASSET_STATUSES),
    fileName: z.string().openapi({ example: "summer-campaign.jpg" }),
    mimeType: z.enum(MIME_TYPES).nullable().openapi({
      description: "Media type. Null only while an import is not ready, since it is read from the file.",
    }),
    byteLength: z
      .int()
      .nullable()
      .openapi({ description: "Length in bytes. Null only while an import is not ready." }),
    width: z.int().nullable().openapi({
      description:
        "Edge length in pixels, after the EXIF orientation is applied. As declared until the asset is ready; null for fonts.",
    }),
    height: z.int().nullable(),
    sha256: sha256Schema
      .nullable()
      .openapi({ description: "SHA-256 of the bytes in hexadecimal; null until they are verified." }),
    rejection: rejectionSchema.nullable(),
    importedFrom: z
      .string()
      .nullable()
      .openapi({ description: "Host of the import URL; null for an upload." }),
    import: assetImportSchema
      .nullable()
      .openapi({ description: "Progress of the import; null for an upload or once the import has ended." }),
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
      importedFrom: null,
      import: null,
      createdAt: "2026-06-18T12:00:00.000Z",
      readyAt: "2026-06-18T12:00:04.000Z",
      deletedAt: null,
    },
  });

export const assetPageSchema = pageOf(assetSchema).openapi("AssetPage");

export const assetListQuery = z.object({
  ...pageByTimeQuery,
  slotId: slotIdSchema.optional().openapi({ description: "Only assets of this slot." }),
  status: z.enum(ASSET_STATUSES).optional().openapi({ description: "Only assets with this status." }),
  sha256: sha256Schema.optional().openapi({ description: "Only assets whose bytes have this SHA-256." }),
});

/** Address of a file to import. `checkAddress` names the rule that an address breaks. */
const addressSchema = z.string().openapi({
  format: "uri",
  maxLength: ADDRESS_CHARACTERS_MAX,
  description:
    "An `https` URL on port 443 or 8443 of a public host, without user name, password or fragment. It may contain " +
    "a token in its path or query: the URL is stored encrypted until the import ends, never shown and never " +
    "logged.",
});

/** A file that a job request imports by URL. */
export const addressedAssetSchema = strictBody({ url: addressSchema }).openapi("AddressedAsset", {
  example: { url: "https://images.example.com/summer-campaign.jpg" },
});

/**
 * Body of `POST /assets/imports`. `src/domains/assets/imports/import-create.ts` validates it and names the broken rule.
 */
export const importAssetSchema = strictBody({
  slotId: z.string().openapi({ enum: [...SLOT_IDS] }),
  url: addressSchema,
  fileName: z.string().optional().openapi({
    minLength: 1,
    maxLength: LIMITS.fileNameCharactersMax,
    description: "File name, without folders or control characters. Default: the name of the slot.",
  }),
}).openapi("ImportAsset", {
  example: {
    slotId: "media",
    url: "https://images.example.com/summer-campaign.jpg",
    fileName: "summer-campaign.jpg",
  },
});

export type ImportAssetBody = z.infer<typeof importAssetSchema>;
export type AssetBody = z.infer<typeof assetSchema>;
export type Rejection = z.infer<typeof rejectionSchema>;
