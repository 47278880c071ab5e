import { z } from "@hono/zod-openapi";
import {
  ARTIFACT_DELIVERY,
  DELIVERY_ATTEMPTS_MAX,
  DELIVERY_FAILURE_CODES,
  DELIVERY_STATUSES,
  TEST_MESSAGE,
  WEBHOOK_EVENTS,
} from "../delivery-rules.ts";
import { signingSecretSchema } from "./destination.ts";
import { limitQuery, pageOf, timestampSchema, uuidSchema } from "./primitives.ts";

const deliveryStatusSchema = z.enum(DELIVERY_STATUSES).openapi({
  description: "`retrying` waits for `nextAttemptAt`. `dead` is only retried on request.",
});

const summaryShape = {
  deliveryId: uuidSchema.openapi({
    description:
      "Id of the delivery. It is also the `webhook-id` of the message, and the same in every attempt.",
  }),
  destinationId: uuidSchema,
  kind: z.enum(["webhook", "s3"]),
  eventType: z.enum([ARTIFACT_DELIVERY, TEST_MESSAGE, ...WEBHOOK_EVENTS]),
  artifactId: uuidSchema.nullable(),
  jobId: uuidSchema.nullable(),
  status: deliveryStatusSchema,
  attempts: z.int().openapi({ description: "Number of attempts started." }),
  attemptsMax: z.int(),
  progress: z.object({ total: z.int(), completed: z.int() }).openapi({
    description:
      "Objects delivered to a store, the last being `manifest.json`; for a webhook, its single message.",
  }),
  failure: z
    .object({
      code: z.enum(DELIVERY_FAILURE_CODES),
      message: z.string(),
      receiverStatus: z
        .int()
        .nullable()
        .openapi({ description: "HTTP status of the receiver; null if it did not respond." }),
    })
    .nullable()
    .openapi({ description: "Why the last attempt failed; null if none has failed." }),
  nextAttemptAt: timestampSchema.nullable(),
  createdAt: timestampSchema,
  finishedAt: timestampSchema.nullable(),
};

const EXAMPLE = {
  deliveryId: "0199f0d2-5e6f-7a0b-9c1d-2e3f4a5b6c7d",
  destinationId: "0199f0d1-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
  kind: "s3" as const,
  eventType: ARTIFACT_DELIVERY,
  artifactId: "0199f0c8-1c2a-7d10-8a55-6f0c3b9e2d14",
  jobId: null,
  status: "retrying" as const,
  attempts: 1,
  attemptsMax: DELIVERY_ATTEMPTS_MAX,
  progress: { total: 2, completed: 1 },
  failure: {
    code: "STORE_UNAVAILABLE" as const,
    message: "The store answered 503 SlowDown.",
    receiverStatus: 503,
  },
  nextAttemptAt: "2026-06-18T12:00:09.000Z",
  createdAt: "2026-06-18T12:00:00.000Z",
  finishedAt: null,
};

export const deliverySummarySchema = z.object(summaryShape).openapi("DeliverySummary", { example: EXAMPLE });

const detailShape = {
  ...summaryShape,
  files: z
    .array(z.object({ fileName: z.string(), byteLength: z.int(), deliveredAt: timestampSchema.nullable() }))
    .openapi({ description: "Objects in a store; empty for a webhook." }),
};
const DETAIL_EXAMPLE = {
  ...EXAMPLE,
  files: [
    { fileName: "iab-300x250.png", byteLength: 41_877, deliveredAt: "2026-06-18T12:00:04.000Z" },
    { fileName: "manifest.json", byteLength: 2_211, deliveredAt: null },
  ],
};

/** Example of a delivery that was just created. */
const STARTED_EXAMPLE = {
  ...DETAIL_EXAMPLE,
  status: "queued" as const,
  attempts: 0,
  progress: { total: 2, completed: 0 },
  failure: null,
  nextAttemptAt: EXAMPLE.createdAt,
  files: DETAIL_EXAMPLE.files.map((file) => ({ ...file, deliveredAt: null })),
  signingSecret: null,
};

export const deliverySchema = z.object(detailShape).openapi("Delivery", { example: DETAIL_EXAMPLE });
export type DeliveryBody = z.infer<typeof deliverySchema>;

export const startedDeliverySchema = z
  .object({ ...detailShape, signingSecret: signingSecretSchema })
  .openapi("StartedDelivery", { example: STARTED_EXAMPLE });

export const deliveryPageSchema = pageOf(deliverySummarySchema).openapi("DeliveryPage");

/**
 * Cursor of the list: a delivery's row number, time and id. The id finds the delivery after its workspace has moved to
 * another database.
 */
export const DELIVERY_CURSOR = /^([0-9]{1,15})-([0-9]{1,15})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export const deliveryListQuery = z.object({
  limit: limitQuery,
  before: z.string().regex(DELIVERY_CURSOR, "must be `nextBefore` of the previous page").optional().openapi({
    description: "`nextBefore` of the previous page.",
    example: "4711-1781784000000-0199f0c4-7b6e-7c3a-9b0e-2f5d1c8a4e71",
  }),
  status: deliveryStatusSchema.optional(),
});
