import { z } from "@hono/zod-openapi";
import { ARTIFACT_DELIVERY, TEST_MESSAGE } from "../delivery-rules.ts";
import {
  ARTIFACT_EXAMPLE,
  artifactFileSchema,
  artifactSchema,
  downloadLinksSchema,
  LINKS_EXAMPLE,
} from "./artifact.ts";
import { jobSchema } from "./job.ts";
import { timestampSchema, uuidSchema } from "./primitives.ts";
import { shareCommentSchema } from "./share.ts";

/** What a webhook is sent, as Standard Webhooks lays a message out. */

const origin = {
  deliveryId: uuidSchema.openapi({ description: "Also the `webhook-id`, the same in every attempt." }),
  workspaceId: uuidSchema,
  livemode: z.boolean().openapi({ description: "False of what a test key ordered." }),
};

const messageOf = <T extends z.ZodType, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({
    type,
    timestamp: timestampSchema.openapi({ description: "When what it tells of happened." }),
    data: z.object({ ...origin, ...shape }),
  });

const linkShape = downloadLinksSchema.shape;
const fileLinkShape = linkShape.files.element.shape;

const sentFileSchema = z
  .object({
    ...artifactFileSchema.shape,
    compliance: artifactFileSchema.shape.compliance.optional(),
    layout: artifactFileSchema.shape.layout.optional(),
  })
  .openapi("SentFile");

const sentLinksSchema = z.object({
  ...linkShape,
  files: z.array(z.object(fileLinkShape).partial().required({ fileId: true, url: true })),
});

export const artifactMessageSchema = messageOf(z.literal(ARTIFACT_DELIVERY), {
  detail: z.enum(["full", "brief", "summary"]).openapi({
    description:
      "What was left out for the message to fit: nothing, compliance and layout of the files, or all files. The ZIP " +
      "that `download.url` names has the whole `manifest.json`.",
  }),
  fileCount: z.int().openapi({ description: "Files of the pack, whether they are listed here or not." }),
  artifact: z
    .object({ ...artifactSchema.shape, files: z.array(sentFileSchema) })
    .openapi({ example: ARTIFACT_EXAMPLE }),
  download: sentLinksSchema.openapi({
    description: "Good for five minutes from the attempt.",
    example: LINKS_EXAMPLE,
  }),
}).openapi("ArtifactMessage");

export const testMessageSchema = messageOf(z.literal(TEST_MESSAGE), {}).openapi("TestMessage");

export const jobMessageSchema = messageOf(z.enum(["job.succeeded", "job.failed", "job.canceled"]), {
  job: jobSchema,
}).openapi("JobMessage");

export const shareMessageSchema = messageOf(z.literal("share.commented"), {
  artifactId: uuidSchema,
  share: z.object({
    shareId: uuidSchema,
    name: z
      .string()
      .openapi({ description: "Of the link; empty where none was given.", example: "First round" }),
  }),
  comment: shareCommentSchema,
}).openapi("ShareMessage");

export const balanceMessageSchema = messageOf(z.literal("balance.low"), {
  unit: z.literal("credit"),
  available: z.int().openapi({ description: "Credits left when they fell.", example: 17 }),
  lowBalanceBelow: z.int().openapi({ description: "What the destination asks for.", example: 20 }),
}).openapi("BalanceMessage");
