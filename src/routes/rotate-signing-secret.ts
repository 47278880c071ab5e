import { createRoute } from "@hono/zod-openapi";
import { destinationParams, savedDestinationSchema } from "../contract/schemas/destination.ts";
import { presentDestination } from "../deliveries/destination.ts";
import { rotateSigningSecret as rotate } from "../deliveries/manage-destination.ts";
import { DELIVERY_CAPABILITIES, deliveryDepsOf, whileMember } from "../http/delivery-deps.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "rotateSigningSecret",
    summary: "Rotate a webhook's signing secret",
    description:
      "Shows a new secret, once. For 24 hours every message carries a signature of each, so that the receiver can " +
      "change over at any time in between.",
    family: "keys",
    scope: "deliveries:write",
    needs: DELIVERY_CAPABILITIES,
  }),
  method: "post",
  path: "/api/account/workspaces/{workspaceId}/destinations/{destinationId}/rotate-secret",
  request: { params: destinationParams },
  responses: {
    200: success(savedDestinationSchema, "The destination and its new secret"),
    ...failures(400, 401, 403, 404, 409, 429, 500, 501),
  },
});

export const rotateSigningSecret = defineRoute(route, async (c) => {
  const { workspaceId, destinationId } = c.req.valid("param");
  const membership = await requireMembership(c, workspaceId, "deliveries:write");
  const deps = deliveryDepsOf(c, membership);
  const { destination, signingSecret } = acceptedValue(
    await whileMember(() => rotate(deps, membership.workspaceId, destinationId)),
  );
  return succeed(c, 200, { destination: presentDestination(destination, deps.nowMs), signingSecret });
});
