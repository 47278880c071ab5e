import { createRoute } from "@hono/zod-openapi";
import { deliveryParams, deliverySchema } from "../contract/schemas/delivery.ts";
import { presentDelivery } from "../deliveries/present-delivery.ts";
import { retryDelivery as retry } from "../deliveries/retry-delivery.ts";
import { DELIVERY_CAPABILITIES, deliveryDepsOf, whileMember } from "../http/delivery-deps.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";
import { announceDeliveries } from "../queue/send-delivery-messages.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "retryDelivery",
    summary: "Try a delivery again",
    description:
      "Begins a dead or waiting delivery anew, at once, with all its attempts and under the same id. Objects of a " +
      "store are all put again.",
    family: "write",
    scope: "deliveries:write",
    needs: DELIVERY_CAPABILITIES,
  }),
  method: "post",
  path: "/api/account/workspaces/{workspaceId}/deliveries/{deliveryId}/retry",
  request: { params: deliveryParams },
  responses: {
    202: success(deliverySchema, "The delivery has begun anew"),
    ...failures(400, 401, 403, 404, 409, 429, 500, 501),
  },
});

export const retryDelivery = defineRoute(route, async (c) => {
  const { workspaceId, deliveryId } = c.req.valid("param");
  const membership = await requireMembership(c, workspaceId, "deliveries:write");
  const { db, guards, nowMs } = deliveryDepsOf(c, membership);
  const { delivery, files } = acceptedValue(
    await whileMember(() => retry(db, guards, membership.workspaceId, deliveryId, nowMs)),
  );
  c.executionCtx.waitUntil(announceDeliveries(requireCapability(c, "deliveries").queue, db));
  return succeed(c, 202, presentDelivery(delivery, files));
});
