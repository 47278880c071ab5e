import { z } from "@hono/zod-openapi";
import { motionSchema, outputFormatSchema } from "./catalogue.ts";
import { LAYOUT_EXAMPLE, layoutSchema } from "./layout.ts";
import { APPROVALS, packStateShape } from "./pack-state.ts";
import { pageByTimeQuery, pageOf, sha256Schema, timestampSchema, uuidSchema } from "./primitives.ts";

export const ARTIFACT_STATUSES = ["ready", "expired"] as const;
export const FILE_ROLES = ["primary", "backup"] as const;
export const FILE_CONTENT_TYPES = [
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "image/apng",
  "application/zip",
  "video/mp4",
] as const;

export const complianceSchema = z
  .object({
    verdict: z.enum(["pass", "fail"]).openapi({ description: "`pass` if every check passed." }),
    byteCap: z.int().nullable().openapi({ description: "Maximum bytes; null if no limit is published." }),
    checks: z.array(
      z.object({
        rule: z.enum([
          "byte_cap",
          "format",
          "duration",
          "frame_rate",
          "loops",
          "frames",
          "safe_area",
          "backup_bytes",
          "dimensions",
          "load_bytes",
          "files",
          "bit_rate",
        ]),
        passed: z.boolean(),
        actual: z.string(),
        required: z.string(),
        sourceId: z
          .string()
          .nullable()
          .openapi({ description: "Source of the rule; see `sources` of the contract." }),
      }),
    ),
    acceptedBy: z
      .array(z.string())
      .openapi({ description: "Size groups whose published rules the file meets." }),
  })
  .openapi("Compliance");

export const artifactFileSchema = z
  .object({
    fileId: uuidSchema,
    sizeId: z.string(),
    role: z.enum(FILE_ROLES).openapi({
      description: "`backup` is the free still that ships with an animation.",
    }),
    fileName: z.string().openapi({ description: "File name, unique in the pack and used in the ZIP." }),
    width: z.int(),
    height: z.int(),
    contentType: z.enum(FILE_CONTENT_TYPES),
    byteLength: z.int(),
    checksum: z.object({ algorithm: z.literal("sha256"), value: sha256Schema }),
    compliance: complianceSchema,
    layout: layoutSchema,
    frames: z.int().optional().openapi({ description: "Number of frames. Absent for stills." }),
    durationMs: z
      .int()
      .optional()
      .openapi({ description: "Duration of one play in milliseconds. Absent for stills." }),
    engineVersion: z.string().optional().openapi({
      description:
        "Version of the renderer. Absent in packs that were rendered before this member was added.",
    }),
    loops: z.int().optional().openapi({ description: "Total number of plays. Absent for stills." }),
  })
  .openapi("ArtifactFile");

const met = <Rule extends string>(rule: Rule, actual: string, required: string) =>
  ({ rule, passed: true, actual, required, sourceId: "iab-2017" }) as const;

/** Result of `evaluateCompliance` for a still of 41,877 bytes in `iab-300x250`. */
export const COMPLIANCE_EXAMPLE = {
  verdict: "pass" as const,
  byteCap: 150_000,
  checks: [
    met("dimensions", "300x250", "300x250"),
    met("format", "png", "png, jpg, gif, html5"),
    met("byte_cap", "41877 bytes", "at most 150000 bytes"),
  ],
  acceptedBy: ["iab", "gads", "amazon"],
};

const FILE_EXAMPLE = {
  fileId: "0199f0c7-c0de-7aa1-9d3e-41b2f5a60c77",
  sizeId: "iab-300x250",
  role: "primary",
  fileName: "iab-300x250.png",
  width: 300,
  height: 250,
  contentType: "image/png",
  byteLength: 41877,
  checksum: {
    algorithm: "sha256",
    value: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  },
  compliance: COMPLIANCE_EXAMPLE,
  layout: LAYOUT_EXAMPLE,
  engineVersion: "1.11.0",
};

export const ARTIFACT_EXAMPLE = {
  artifactId: "0199f0c8-1c2a-7d10-8a55-6f0c3b9e2d14",
  jobId: "0199f0c7-9e41-7b02-b1d7-0a4e8c6f5132",
  status: "ready",
  livemode: true,
  pack: {
    contractId: "display.v1",
    motion: "static",
    outputFormat: "png",
    sizeIds: ["iab-300x250"],
    renderFingerprint: "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
  },
  manifest: {
    engineVersion: "1.11.0",
    createdAt: "2026-06-18T12:00:04.000Z",
    expiresAt: "2026-07-18T12:00:04.000Z",
    totalBytes: 41877,
  },
  files: [FILE_EXAMPLE],
};

export const artifactSchema = z
  .object({
    artifactId: uuidSchema,
    jobId: uuidSchema,
    livemode: z.boolean().openapi({
      description: "`false` if a test key ordered the pack: its files are watermarked and kept for a day.",
    }),
    status: z.enum(ARTIFACT_STATUSES).openapi({
      description: "`ready`: the files are stored. `expired`: they were deleted, but are still listed.",
    }),
    pack: z.object({
      contractId: z.string(),
      motion: motionSchema,
      outputFormat: outputFormatSchema,
      sizeIds: z.array(z.string()),
      renderFingerprint: sha256Schema,
    }),
    manifest: z.object({
      engineVersion: z.string().openapi({
        description: "Newest renderer version among the files.",
      }),
      createdAt: timestampSchema,
      expiresAt: timestampSchema,
      totalBytes: z.int(),
    }),
    files: z.array(artifactFileSchema).min(1),
  })
  .openapi("Artifact", { example: ARTIFACT_EXAMPLE });

const { fileId, width, height, contentType, byteLength } = FILE_EXAMPLE;
const { artifactId, jobId, status, livemode } = ARTIFACT_EXAMPLE;
const { contractId, motion, outputFormat } = ARTIFACT_EXAMPLE.pack;

/** An artifact in a list, without its files. */
const artifactSummarySchema = z
  .object({
    artifactId: uuidSchema,
    jobId: uuidSchema,
    ...packStateShape,
    livemode: z.boolean().openapi({
      description: "`false` if a test key ordered the pack: its files are watermarked and kept for a day.",
    }),
    status: z.enum(ARTIFACT_STATUSES),
    contractId: z.string(),
    motion: motionSchema,
    outputFormat: outputFormatSchema,
    headline: z.string().nullable().openapi({ description: "Headline of the pack; null without one." }),
    look: z.string().openapi({ description: "Style of the pack." }),
    sizeCount: z.int().openapi({ description: "Number of sizes ordered." }),
    fileCount: z.int(),
    totalBytes: z.int(),
    thumbnail: z
      .object({
        fileId: uuidSchema,
        width: z.int(),
        height: z.int(),
        contentType: z.enum(FILE_CONTENT_TYPES),
        byteLength: z.int(),
      })
      .nullable()
      .openapi({
        description:
          "File to use as a thumbnail, preferably in the shape of a social post; null once expired.",
      }),
    createdAt: timestampSchema,
    expiresAt: timestampSchema,
  })
  .openapi("ArtifactSummary", {
    example: {
      ...{ artifactId, jobId, status, livemode, contractId, motion, outputFormat },
      ...{ name: "Spring sale", brandId: null, versionOf: null, approval: "in_review" as const },
      headline: "Two wheels, no excuses",
      look: "bold",
      sizeCount: 1,
      fileCount: 1,
      thumbnail: { fileId, width, height, contentType, byteLength },
      totalBytes: 41877,
      createdAt: "2026-06-18T12:00:04.000Z",
      expiresAt: "2026-07-18T12:00:04.000Z",
    },
  });

/** Longer than any id, and than any search that a person types. */
const SEARCH_CHARACTERS_MAX = 100;

export const artifactPageSchema = pageOf(artifactSummarySchema).openapi("ArtifactPage");
export const artifactListQuery = z.object({
  ...pageByTimeQuery,
  contractId: z.string().min(1).max(SEARCH_CHARACTERS_MAX).optional().openapi({ example: "display.v1" }),
  motion: motionSchema.optional(),
  search: z
    .string()
    .trim()
    .min(1)
    .max(SEARCH_CHARACTERS_MAX)
    .optional()
    .openapi({
      description:
        "Search text. Matches name, headline, subheadline, button, badge and contract (case-insensitive for " +
        "ASCII), or the exact id of artifact or job.",
      example: "two wheels",
    }),
  brandId: uuidSchema.optional().openapi({ description: "Only packs ordered with this brand." }),
  approval: z.enum(APPROVALS).optional().openapi({ description: "Only packs with this approval status." }),
});

export type ArtifactBody = z.infer<typeof artifactSchema>;

const linkShape = {
  url: z.url().openapi({ description: "Signed and short-lived. Do not store or log it; request a new one." }),
  method: z.literal("GET"),
  expiresAt: timestampSchema,
  fileName: z.string(),
  byteLength: z.int(),
};

export const LINKS_EXAMPLE = {
  url: "https://packs.example/api/v1/downloads/3f9c.eyJhIjoi.Zm9vYmFy",
  method: "GET",
  expiresAt: "2026-06-18T12:05:00.000Z",
  fileName: "aurora-soft-as-the-first-warm-day-2026-06-18.zip",
  byteLength: 44310,
  contentType: "application/zip",
  files: [
    {
      fileId: "0199f0c7-c0de-7aa1-9d3e-41b2f5a60c77",
      url: "https://packs.example/api/v1/downloads/3f9c.eyJmIjoi.YmFyZm9v",
      method: "GET",
      expiresAt: "2026-06-18T12:05:00.000Z",
      fileName: "iab-300x250.png",
      byteLength: 41877,
      contentType: "image/png",
    },
  ],
};

export const downloadLinksSchema = z
  .object({
    ...linkShape,
    contentType: z.literal("application/zip"),
    files: z.array(z.object({ fileId: uuidSchema, ...linkShape, contentType: z.enum(FILE_CONTENT_TYPES) })),
  })
  .openapi("ArtifactDownload", { example: LINKS_EXAMPLE });

export type DownloadLinks = z.infer<typeof downloadLinksSchema>;
