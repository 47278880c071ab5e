import { z } from "@hono/zod-openapi";
import { DELIVERY_LIMITS, WEBHOOK_EVENTS } from "../delivery-rules.ts";
import { timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** Where artifacts and messages are sent. */

/** Longer than any address that is taken; how it must look is the guard's to say. */
const ADDRESS_CHARACTERS_MAX = 4_096;
const EXAMPLE_URL = "https://hooks.customer.example/packs";

const address = (description: string, example: string) =>
  z.string().min(1).max(ADDRESS_CHARACTERS_MAX).openapi({ description, example });

const text = (pattern: RegExp, message: string, description: string, example: string) =>
  z.string().regex(pattern, message).openapi({ description, example });

const webhookShape = {
  kind: z.literal("webhook"),
  url: address(
    "An https address of a public host, port 443 or 8443. Not followed when it redirects.",
    EXAMPLE_URL,
  ),
};

const s3Shape = {
  kind: z.literal("s3"),
  endpoint: address(
    "Address of the store, with the path of its S3 interface where it has one; the bucket follows in the path. No query.",
    "https://s3.eu-central-1.amazonaws.com",
  ),
  region: text(
    /^[a-z0-9-]{1,32}$/,
    "must be the name of a region",
    "`auto` where there are none.",
    "eu-central-1",
  ),
  bucket: text(
    /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    "must be the name of a bucket",
    "An existing bucket.",
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
      description: "Objects are called `<prefix>/<artifactId>/<fileName>`. Letters, digits and `._=-/`.",
      example: "launch/2026",
    }),
  accessKeyId: text(
    /^[\x21-\x7e]{1,128}$/,
    "must be an access key id",
    "Needs to put and get objects.",
    "AKIAEXAMPLE",
  ),
  secretAccessKey: text(
    /^[\x21-\x7e]{1,256}$/,
    "must be a secret access key",
    "Kept encrypted; never shown again.",
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
      destinationId: uuidSchema.openapi({ description: "A destination of the artifact's workspace." }),
    }).openapi("SendToSaved"),
  ])
  .openapi("SendArtifact", { example: { kind: "webhook", url: EXAMPLE_URL } });
export type SendArtifact = z.infer<typeof sendArtifactSchema>;

const eventsSchema = z
  .array(z.enum(WEBHOOK_EVENTS))
  .max(WEBHOOK_EVENTS.length)
  .refine((events) => new Set(events).size === events.length, "names an event twice")
  .openapi({ description: "What it is told besides artifacts that are sent to it.", uniqueItems: true });

/** Why a mark is refused. */
export const MARK_MESSAGE = "goes with the event `balance.low`, and that event with it";

const lowBalanceSchema = z.int().min(1).max(1_000_000_000).openapi({
  description: "`balance.low` is told once each time the credits fall below this. Required with that event.",
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
      message: MARK_MESSAGE,
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
      "`disabled` when its receiver answered 410, `paused` when the member who made it is no longer in the workspace: " +
      "nothing is sent until it is enabled, a paused one by an owner.",
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
        description: "What they are in the workspace now; null once they have left.",
      }),
    })
    .nullable()
    .openapi("DestinationCreator", {
      description: "The person who made it; null where an API key did, or that was not noted.",
    }),
  createdByKeyId: uuidSchema.nullable().openapi({
    description: "The API key that made it; null where a person did, or that was not noted.",
  }),
  disabledAt: timestampSchema.nullable().openapi({ description: "Since when nothing is sent to it." }),
};

const shownWebhook = z
  .object({
    kind: z.literal("webhook"),
    ...common,
    url: z
      .string()
      .openapi({ description: "Without its query, which may hold a token.", example: EXAMPLE_URL }),
    events: eventsSchema,
    lowBalanceBelow: z.int().nullable(),
    missedAt: timestampSchema.nullable().openapi({
      description: `When it was last not told an event, because ${DELIVERY_LIMITS.openPerDestinationMax} deliveries waited for it.`,
    }),
    previousSecretUntil: timestampSchema.nullable().openapi({
      description: "Until when a replaced secret signs beside the present one.",
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

/** A webhook's secret, or null. Shown when it is made, and never again. */
export const signingSecretSchema = z.string().nullable().openapi({
  description:
    "Signs the messages of a webhook (Standard Webhooks, `whsec_…`). Shown once, when it is made; null otherwise.",
  example: "whsec_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHkh",
});

export const savedDestinationSchema = z
  .object({ destination: destinationSchema, signingSecret: signingSecretSchema })
  .openapi("SavedDestination");

export const destinationListSchema = z
  .object({ items: z.array(destinationSchema) })
  .openapi("DestinationList", { example: { items: [EXAMPLE] } });
