import { createRoute } from "@hono/zod-openapi";
import { deliveryParams, deliverySchema } from "../contract/schemas/delivery.ts";
import { presentDelivery } from "../deliveries/present-delivery.ts";
import { readDelivery } from "../deliveries/retry-delivery.ts";
import { DELIVERY_CAPABILITIES } from "../http/delivery-deps.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "getDelivery",
    summary: "Read a delivery",
    description: "Its state, the objects of a store that are there already, and why the last attempt failed.",
    family: "read",
    scope: "deliveries:write",
    needs: DELIVERY_CAPABILITIES,
  }),
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/deliveries/{deliveryId}",
  request: { params: deliveryParams },
  responses: {
    200: success(deliverySchema, "The delivery"),
    ...failures(400, 401, 404, 429, 500, 501),
  },
});

export const getDelivery = defineRoute(route, async (c) => {
  const { workspaceId, deliveryId } = c.req.valid("param");
  const membership = await requireMembership(c, workspaceId, "deliveries:write");
  const { db } = requireCapability(c, "database");
  const { delivery, files } = acceptedValue(await readDelivery(db, membership.workspaceId, deliveryId));
  return succeed(c, 200, presentDelivery(delivery, files));
});
