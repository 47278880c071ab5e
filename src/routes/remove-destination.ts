import { createRoute } from "@hono/zod-openapi";
import { destinationParams, destinationSchema } from "../contract/schemas/destination.ts";
import { presentDestination } from "../deliveries/destination.ts";
import { removeDestination as remove } from "../deliveries/manage-destination.ts";
import { DELIVERY_CAPABILITIES, deliveryDepsOf, whileMember } from "../http/delivery-deps.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "removeDestination",
    summary: "Remove a destination",
    description:
      "Its secrets are erased, and what is still to be sent to it is not. Its deliveries stay readable.",
    family: "write",
    scope: "deliveries:write",
    needs: DELIVERY_CAPABILITIES,
  }),
  method: "delete",
  path: "/api/account/workspaces/{workspaceId}/destinations/{destinationId}",
  request: { params: destinationParams },
  responses: {
    200: success(destinationSchema, "The destination as it was"),
    ...failures(400, 401, 403, 404, 429, 500, 501),
  },
});

export const removeDestination = defineRoute(route, async (c) => {
  const { workspaceId, destinationId } = c.req.valid("param");
  const membership = await requireMembership(c, workspaceId, "deliveries:write");
  const deps = deliveryDepsOf(c, membership);
  const removed = acceptedValue(await whileMember(() => remove(deps, membership.workspaceId, destinationId)));
  return succeed(c, 200, presentDestination(removed, deps.nowMs));
});
