import { z } from "@hono/zod-openapi";
import { DELIVERY_LIMITS, WEBHOOK_EVENTS } from "../delivery-rules.ts";
import { timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** Destinations of artifacts and messages. */

/** Upper bound of the schema; `checkAddress` applies the real rules. */
const ADDRESS_CHARACTERS_MAX = 4_096;
const EXAMPLE_URL = "https://hooks.customer.example/packs";

const address = (description: string, example: string) =>
  z.string().min(1).max(ADDRESS_CHARACTERS_MAX).openapi({ description, example });

const text = (pattern: RegExp, message: string, description: string, example: string) =>
  z.string().regex(pattern, message).openapi({ description, example });

const webhookShape = {
  kind: z.literal("webhook"),
  url: address(
    "An `https` URL of a public host on port 443 or 8443. Redirects are not followed.",
    EXAMPLE_URL,
  ),
};

const s3Shape = {
  kind: z.literal("s3"),
  endpoint: address(
    "URL of the store's S3 API, without the bucket and without a query.",
    "https://s3.eu-central-1.amazonaws.com",
  ),
  region: text(
    /^[a-z0-9-]{1,32}$/,
    "must be the name of a region",
    "Region of the bucket; `auto` if the store has no regions.",
    "eu-central-1",
  ),
  bucket: text(
    /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    "must be the name of a bucket",
    "Name of an existing bucket.",
    "campaign-packs",
  ),
  prefix: z
    .string()
    .max(DELIVERY_LIMITS.prefixCharactersMax)
    .regex(
      /^$|^(?!\/)(?:(?!\.{1,2}\/)[A-Za-z0-9._=-]+\/)*(?!\.{1,2}$)[A-Za-z0-9._=-]*$/,
      "must be a path of plain names",
    )
    .optional()
    .openapi({
      description:
        "Prefix of the object names: `<prefix>/<artifactId>/<fileName>`. Letters, digits and `._=-/`.",
      example: "launch/2026",
    }),
  accessKeyId: text(
    /^[\x21-\x7e]{1,128}$/,
    "must be an access key id",
    "Access key id with permission to put and get objects.",
    "AKIAEXAMPLE",
  ),
  secretAccessKey: text(
    /^[\x21-\x7e]{1,256}$/,
    "must be a secret access key",
    "Secret access key. Stored encrypted and never shown again.",
    "the-secret-of-the-access-key",
  ),
};

const storeBody = strictBody(s3Shape).openapi("SendToStore");

/** Body of `POST /api/v1/artifacts/{artifactId}/destinations`. */
export const sendArtifactSchema = z
  .discriminatedUnion("kind", [
    strictBody(webhookShape).openapi("SendToWebhook"),
    storeBody,
    strictBody({
      kind: z.literal("saved").optional(),
      destinationId: uuidSchema.openapi({ description: "A destination in the artifact's workspace." }),
    }).openapi("SendToSaved"),
  ])
  .openapi("SendArtifact", { example: { kind: "webhook", url: EXAMPLE_URL } });
export type SendArtifact = z.infer<typeof sendArtifactSchema>;

const eventsSchema = z
  .array(z.enum(WEBHOOK_EVENTS))
  .max(WEBHOOK_EVENTS.length)
  .refine((events) => new Set(events).size === events.length, "names an event twice")
  .openapi({
    description: "Events that the webhook subscribes to. It also receives artifacts sent to it.",
    uniqueItems: true,
  });

/** Message for a body with only one of `lowBalanceBelow` and `balance.low`. */
export const LOW_BALANCE_MESSAGE = "requires the event `balance.low`, and that event requires it";

const lowBalanceSchema = z.int().min(1).max(1_000_000_000).openapi({
  description: "`balance.low` is sent once each time the credits fall below this. Required with that event.",
  example: 20,
});

/** Body of `POST /api/v1/destinations`. */
export const saveDestinationSchema = z
  .discriminatedUnion("kind", [
    strictBody({
      ...webhookShape,
      events: eventsSchema.optional(),
      lowBalanceBelow: lowBalanceSchema.optional(),
    }).openapi("SaveWebhook"),
    storeBody,
  ])
  .superRefine((body, context) => {
    if (body.kind !== "webhook") return;
    const isTold = body.events?.includes("balance.low") ?? false;
    if (isTold === (body.lowBalanceBelow !== undefined)) return;
    context.addIssue({
      code: "custom",
      path: ["lowBalanceBelow"],
      message: LOW_BALANCE_MESSAGE,
    });
  })
  .openapi("SaveDestination", {
    example: { kind: "webhook", url: EXAMPLE_URL, events: ["job.succeeded", "job.failed"] },
  });
export type SaveDestination = z.infer<typeof saveDestinationSchema>;

/** Body of `PATCH /api/v1/destinations/{destinationId}`. */
export const updateDestinationSchema = strictBody({
  events: eventsSchema.optional(),
  lowBalanceBelow: lowBalanceSchema.nullable().optional(),
  secretAccessKey: s3Shape.secretAccessKey.optional(),
}).openapi("UpdateDestination", { example: { events: ["job.succeeded", "job.failed", "job.canceled"] } });
export type UpdateDestination = z.infer<typeof updateDestinationSchema>;

const common = {
  destinationId: uuidSchema,
  status: z.enum(["active", "disabled", "paused"]).openapi({
    description:
      "`disabled`: the receiver answered 410. `paused`: the member who created it left the workspace. Nothing is " +
      "sent until it is enabled again; a paused one can only be enabled by an owner.",
  }),
  statusReason: z
    .object({ code: z.enum(["RECEIVER_GONE", "CREATOR_REMOVED"]), message: z.string() })
    .nullable()
    .openapi("DestinationStatusReason", {
      description: "Why nothing is sent to it; null while it is active.",
    }),
  createdAt: timestampSchema,
  createdBy: z
    .object({
      accountId: uuidSchema,
      name: z.string(),
      role: z.enum(["owner", "member"]).nullable().openapi({
        description: "Current role in the workspace; null if the person has left.",
      }),
    })
    .nullable()
    .openapi("DestinationCreator", {
      description: "Account that created it; null if an API key did, or if unknown.",
    }),
  createdByKeyId: uuidSchema.nullable().openapi({
    description: "API key that created it; null if an account did, or if unknown.",
  }),
  disabledAt: timestampSchema
    .nullable()
    .openapi({ description: "When sending stopped, UTC; null while it is active." }),
};

const shownWebhook = z
  .object({
    kind: z.literal("webhook"),
    ...common,
    url: z
      .string()
      .openapi({ description: "URL without its query, which may contain a token.", example: EXAMPLE_URL }),
    events: eventsSchema,
    lowBalanceBelow: z.int().nullable(),
    missedAt: timestampSchema.nullable().openapi({
      description:
        `When an event was last dropped because ${DELIVERY_LIMITS.openPerDestinationMax} deliveries were open; ` +
        "null if never.",
    }),
    previousSecretUntil: timestampSchema.nullable().openapi({
      description:
        "Time until which the previous secret also signs, UTC; null if there is no previous secret.",
    }),
  })
  .openapi("WebhookDestination");

const shownS3 = z
  .object({
    kind: z.literal("s3"),
    ...common,
    endpoint: z.string().openapi({ example: "https://s3.eu-central-1.amazonaws.com" }),
    region: z.string().openapi({ example: "eu-central-1" }),
    bucket: z.string().openapi({ example: "campaign-packs" }),
    prefix: z.string().openapi({ example: "launch/2026" }),
    accessKeyId: z.string().openapi({ example: "AKIAEXAMPLE" }),
  })
  .openapi("StoreDestination");

const EXAMPLE = {
  kind: "webhook" as const,
  destinationId: "0199f0d1-2b3c-7d4e-8f5a-6b7c8d9e0f1a",
  status: "active" as const,
  statusReason: null,
  createdAt: "2026-06-18T12:00:00.000Z",
  createdBy: {
    accountId: "0199f0d1-3a52-7e0b-8c11-4f6a9d2e7b30",
    name: "Ada",
    role: "owner" as const,
  },
  createdByKeyId: null,
  disabledAt: null,
  url: EXAMPLE_URL,
  events: ["job.succeeded" as const, "job.failed" as const],
  lowBalanceBelow: null,
  missedAt: null,
  previousSecretUntil: null,
};

export const destinationSchema = z
  .discriminatedUnion("kind", [shownWebhook, shownS3])
  .openapi("Destination", { example: EXAMPLE });
export type DestinationBody = z.infer<typeof destinationSchema>;

/** A webhook's secret, shown only in the response that creates it; otherwise null. */
export const signingSecretSchema = z
  .string()
  .nullable()
  .openapi({
    description:
      "Secret that signs the webhook's messages (Standard Webhooks, `whsec_…`). Shown only once, when it is created; " +
      "otherwise null.",
    example: "whsec_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHkh",
  });

export const savedDestinationSchema = z
  .object({ destination: destinationSchema, signingSecret: signingSecretSchema })
  .openapi("SavedDestination");

export const destinationListSchema = z
  .object({ items: z.array(destinationSchema) })
  .openapi("DestinationList", { example: { items: [EXAMPLE] } });
