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

/** Messages to webhooks, in the format of Standard Webhooks. */

const origin = {
  deliveryId: uuidSchema.openapi({
    description:
      "Id of the delivery. It is also the `webhook-id` of the message, and the same in every attempt.",
  }),
  workspaceId: uuidSchema,
  livemode: z
    .boolean()
    .openapi({ description: "`false` if the message is about a job or pack that a test key ordered." }),
};

const messageOf = <T extends z.ZodType, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({
    type,
    timestamp: timestampSchema.openapi({ description: "Time of the event, UTC." }),
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
      "Parts left out to keep the message small: nothing, the compliance and layout of files, or all files. The " +
      "ZIP at `download.url` contains the complete `manifest.json`.",
  }),
  fileCount: z.int().openapi({ description: "Number of files in the pack, including those left out here." }),
  artifact: z
    .object({ ...artifactSchema.shape, files: z.array(sentFileSchema) })
    .openapi({ example: ARTIFACT_EXAMPLE }),
  download: sentLinksSchema.openapi({
    description: "Download links, valid for five minutes after the attempt.",
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
      .openapi({ description: "Name of the link; empty if it has none.", example: "First round" }),
  }),
  comment: shareCommentSchema,
}).openapi("ShareMessage");

export const balanceMessageSchema = messageOf(z.literal("balance.low"), {
  unit: z.literal("credit"),
  available: z
    .int()
    .openapi({ description: "Credits left after the balance fell below the threshold.", example: 17 }),
  lowBalanceBelow: z.int().openapi({ description: "Threshold of the destination.", example: 20 }),
}).openapi("BalanceMessage");
