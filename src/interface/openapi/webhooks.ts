import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { ARTIFACT_DELIVERY, TEST_MESSAGE } from "#api/delivery-rules.ts";
import {
  artifactMessageSchema,
  balanceMessageSchema,
  jobMessageSchema,
  shareMessageSchema,
  testMessageSchema,
} from "#api/schemas/webhook-message.ts";

/** Messages to webhooks, as the document's `webhooks`, for generators of receivers. */

const headers = z.object({
  "webhook-id": z.uuid().openapi({
    description: "Id of the message, the same in every attempt. Ignore ids that you have processed.",
    example: "0199f0d2-5e6f-7a0b-9c1d-2e3f4a5b6c7d",
  }),
  "webhook-timestamp": z.string().openapi({
    description: "Time of the attempt in Unix seconds. Reject it if it is more than five minutes off.",
    example: "1781784000",
  }),
  "webhook-signature": z.string().openapi({
    description:
      "`v1,` and the base64 of the HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<raw body>` with the signing " +
      "secret. During a rotation it contains several signatures, separated by spaces; one match is enough.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  }),
});

const WEBHOOKS = [
  {
    name: ARTIFACT_DELIVERY,
    operationId: "onArtifactDelivery",
    summary: "A pack is delivered",
    description: "Sent when `POST /api/account/artifacts/{artifactId}/destinations` names the webhook.",
    schema: artifactMessageSchema,
  },
  {
    name: TEST_MESSAGE,
    operationId: "onWebhookTest",
    summary: "A webhook is tested",
    description: "Sent when a member of the workspace tests the webhook, whatever its `events`.",
    schema: testMessageSchema,
  },
  {
    name: "job.ended",
    operationId: "onJobEnded",
    summary: "A job has succeeded, failed or been canceled",
    description: "Sent to webhooks whose `events` contain the message's `type`.",
    schema: jobMessageSchema,
  },
  {
    name: "balance.low",
    operationId: "onBalanceLow",
    summary: "The credits have fallen below the threshold",
    description: "Sent each time the credits fall below the webhook's `lowBalanceBelow`.",
    schema: balanceMessageSchema,
  },
  {
    name: "share.commented",
    operationId: "onShareCommented",
    summary: "A visitor of a share link has commented",
    description: "Contains the comment or verdict. Sent to webhooks whose `events` contain the type.",
    schema: shareMessageSchema,
  },
];

/** Registers each message with the document's generator. */
export function registerWebhooks(registry: OpenAPIHono["openAPIRegistry"]): void {
  for (const { name, operationId, summary, description, schema } of WEBHOOKS) {
    registry.registerWebhook({
      method: "post",
      path: name,
      operationId,
      summary,
      description:
        `${description}\n\nSigned according to Standard Webhooks. Respond within 15 seconds and process the ` +
        "message afterwards.",
      tags: ["Deliveries"],
      security: [],
      request: { headers, body: { required: true, content: { "application/json": { schema } } } },
      responses: {
        "2XX": { description: "Delivered. The response body is not read." },
        410: { description: "The receiver is gone. The destination is disabled." },
        default: {
          description: "Any other response: retried up to eight attempts in total, honouring `Retry-After`.",
        },
      },
    });
  }
}
