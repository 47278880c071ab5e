import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { SLOT_IDS } from "../slots.ts";
import { copySchema } from "./copy.ts";
import { brandSchema } from "./design.ts";
import { each, nameOf, timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** Image URLs, and the secrets that sign them. */

/** Formats of an image URL, by file extension. */
export const IMAGE_TYPES = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const;
const imageFormatSchema = z.enum(["png", "jpg", "webp"]);
export type ImageFormat = z.infer<typeof imageFormatSchema>;

export const IMAGE_WORDS = copySchema.keyof().options;
export const IMAGE_COLOURS = brandSchema.keyof().options;
/** Parameters that are numbers in a pack request. */
export const IMAGE_NUMBERS = ["variant", "scale"] as const;
/** Parameters that are strings with the same name in a pack request. */
export const IMAGE_CHOICES = ["contractId", "brandId", "look", "buttonStyle", "composition"] as const;

const NAMES = [...IMAGE_WORDS, ...IMAGE_COLOURS, ...SLOT_IDS, ...IMAGE_NUMBERS, ...IMAGE_CHOICES] as const;

/** Every parameter is a string here. Its value is validated later, as part of a pack request. */
const text = () => z.string().optional().openapi({ description: "As in a pack request.", example: "" });

const parameterShape = {
  ...each(NAMES, text),
  version: z.string().max(LIMITS.imageVersionCharactersMax).optional().openapi({
    description:
      "Any text. Change it to render a new image, for example after the brand or the engine has changed.",
    example: "2",
  }),
};

/** Content and design of an image. */
const imageParametersSchema = strictBody(parameterShape).openapi("ImageParameters", {
  example: { headline: "Two wheels, no excuses", cta: "Ride one today", look: "bold" },
});
export type ImageParameters = z.infer<typeof imageParametersSchema>;

/** The query of an image URL. */
export const imageUrlQuery = z.object({
  ...parameterShape,
  key: z.string().openapi({
    description: "Identifies the signing secret and its workspace: the middle part of the secret.",
    example: "0199f0c47b6e7c3a9b0e2f5d1c8a4e710199f0c491d27e55a1c87b3e6d2f0a94",
  }),
  exp: z.string().optional().openapi({
    description: "Expiry in Unix seconds. Default: the URL is valid as long as its secret.",
    example: "1893456000",
  }),
});
export type ImageUrlQuery = z.infer<typeof imageUrlQuery>;

export const imageUrlParams = z.object({
  signature: z.string().openapi({
    description: "HMAC-SHA-256 with the signing secret, in base64url without padding.",
    example: "mQ0Y9m9C0k6c7u3Qq4n0W2o7c1bX8d5eF6gH7iJ8kL9",
  }),
  file: z.string().openapi({
    description: "Size id and format: `png`, `jpg` or `webp`.",
    example: "meta-feed-1200x628.png",
  }),
});

export const createImageUrlSchema = strictBody({
  sizeId: z.string().min(1).max(64).openapi({ example: "iab-300x250" }),
  outputFormat: imageFormatSchema
    .optional()
    .openapi({ description: "File format; default `png`.", example: "png" }),
  parameters: imageParametersSchema,
  expiresAt: timestampSchema.optional().openapi({
    description: "Expiry. Default: the URL is valid as long as its secret.",
    example: "2026-12-31T00:00:00Z",
  }),
  imageSecretId: uuidSchema
    .optional()
    .openapi({ description: "Signing secret to use. Default: the newest." }),
}).openapi("CreateImageUrl", {
  example: {
    sizeId: "iab-300x250",
    parameters: { media: "0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71", headline: "Two wheels, no excuses" },
  },
});
export type CreateImageUrl = z.infer<typeof createImageUrlSchema>;

export const imageUrlSchema = z
  .object({ url: z.string().openapi({ description: "The signed URL of the image." }) })
  .openapi("ImageUrl", {
    example: { url: "https://packs.example/i/mQ0Y9m…/iab-300x250.png?headline=…&key=…" },
  });

const SECRET_EXAMPLE = {
  imageSecretId: "0199f0c4-91d2-7e55-a1c8-7b3e6d2f0a94",
  name: "Shop server",
  createdAt: "2026-06-18T12:00:00.000Z",
};

const secretRecord = z.object({
  imageSecretId: uuidSchema.openapi({ description: "Id of the signing secret." }),
  name: z.string().openapi({ description: "Display name." }),
  createdAt: timestampSchema,
});

export const imageSecretSchema = secretRecord.openapi("ImageSecret", { example: SECRET_EXAMPLE });

export const createdImageSecretSchema = secretRecord
  .extend({ secret: z.string().openapi({ description: "Shown only once: store it now." }) })
  .openapi("CreatedImageSecret", { example: { ...SECRET_EXAMPLE, secret: "cps_…" } });

export const imageSecretListSchema = z
  .object({ items: z.array(imageSecretSchema) })
  .openapi("ImageSecretList", { example: { items: [SECRET_EXAMPLE] } });

export const createImageSecretSchema = strictBody({
  name: nameOf(LIMITS.keyNameCharactersMax, SECRET_EXAMPLE.name),
}).openapi("CreateImageSecret", { example: { name: SECRET_EXAMPLE.name } });
