import { createRoute } from "@hono/zod-openapi";
import { deliveryListQuery, deliveryPageSchema } from "../contract/schemas/delivery.ts";
import { workspaceParams } from "../contract/schemas/destination.ts";
import { presentDeliveryPage } from "../deliveries/present-delivery.ts";
import { listDeliveries as list } from "../deliveries/retry-delivery.ts";
import { DELIVERY_CAPABILITIES } from "../http/delivery-deps.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "listDeliveries",
    summary: "List deliveries",
    description:
      "Artifacts and messages that were sent out or are to be, newest first. `status=dead` shows those that are " +
      "tried no more. An ended delivery is kept for 30 days.",
    family: "read",
    scope: "deliveries:write",
    needs: DELIVERY_CAPABILITIES,
  }),
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/deliveries",
  request: { params: workspaceParams, query: deliveryListQuery },
  responses: {
    200: success(deliveryPageSchema, "A page of deliveries"),
    ...failures(400, 401, 404, 429, 500, 501),
  },
});

export const listDeliveries = defineRoute(route, async (c) => {
  const { limit, before, status } = c.req.valid("query");
  const { workspaceId } = await requireMembership(c, c.req.valid("param").workspaceId, "deliveries:write");
  const { db } = requireCapability(c, "database");
  const beforeNumber = before === undefined ? null : Number(before);
  const found = await list(db, workspaceId, { status: status ?? null, beforeNumber }, limit);
  return succeed(c, 200, presentDeliveryPage(found, limit));
});
