import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { ARTIFACT_DELIVERY, TEST_MESSAGE } from "#api/delivery-rules.ts";
import {
  artifactMessageSchema,
  balanceMessageSchema,
  jobMessageSchema,
  shareMessageSchema,
  testMessageSchema,
} from "#api/schemas/webhook-message.ts";

/** The messages to webhooks, as the document's `webhooks`, for generators of receivers. */

const headers = z.object({
  "webhook-id": z.uuid().openapi({
    description: "The same in every attempt: drop what you have seen.",
    example: "0199f0d2-5e6f-7a0b-9c1d-2e3f4a5b6c7d",
  }),
  "webhook-timestamp": z.string().openapi({
    description: "When the attempt was made, in Unix seconds. Refuse what is more than five minutes away.",
    example: "1781784000",
  }),
  "webhook-signature": z.string().openapi({
    description:
      "`v1,` and the base64 of the HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw body>` under the signing " +
      "secret; several, separated by spaces, while a secret is replaced. Any one that is right will do.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  }),
});

const WEBHOOKS = [
  {
    name: ARTIFACT_DELIVERY,
    operationId: "onArtifactDelivery",
    summary: "A pack was sent to the webhook",
    description: "Sent when `POST /api/account/artifacts/{artifactId}/destinations` names the webhook.",
    schema: artifactMessageSchema,
  },
  {
    name: TEST_MESSAGE,
    operationId: "onWebhookTest",
    summary: "Somebody tries the webhook out",
    description: "Sent when a member of the workspace asks for it, whatever events the webhook asks for.",
    schema: testMessageSchema,
  },
  {
    name: "job.ended",
    operationId: "onJobEnded",
    summary: "A job has succeeded, failed or been canceled",
    description: "Sent to webhooks whose `events` hold the message's `type`.",
    schema: jobMessageSchema,
  },
  {
    name: "balance.low",
    operationId: "onBalanceLow",
    summary: "The credits have fallen below a bound",
    description: "Sent once for each fall below the webhook's `lowBalanceBelow`.",
    schema: balanceMessageSchema,
  },
  {
    name: "share.commented",
    operationId: "onShareCommented",
    summary: "A visitor of a share link said something",
    description: "A comment or a verdict, as it was given. Sent to webhooks whose `events` hold it.",
    schema: shareMessageSchema,
  },
];

/** Registers each message with the generator of the document. */
export function registerWebhooks(registry: OpenAPIHono["openAPIRegistry"]): void {
  for (const { name, operationId, summary, description, schema } of WEBHOOKS) {
    registry.registerWebhook({
      method: "post",
      path: name,
      operationId,
      summary,
      description: `${description}\n\nSigned as Standard Webhooks are. Answer within 15 seconds and work afterwards.`,
      tags: ["Deliveries"],
      security: [],
      request: { headers, body: { required: true, content: { "application/json": { schema } } } },
      responses: {
        "2XX": { description: "Delivered; the body is not read." },
        410: { description: "The receiver is gone: the destination is disabled." },
        default: { description: "Tried again later, up to eight times; `Retry-After` is respected." },
      },
    });
  }
}
