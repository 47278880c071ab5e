import { createRoute } from "@hono/zod-openapi";
import { destinationParams, destinationSchema } from "../contract/schemas/destination.ts";
import { presentDestination } from "../deliveries/destination.ts";
import { enableDestination as enable } from "../deliveries/manage-destination.ts";
import { DELIVERY_CAPABILITIES, deliveryDepsOf, whileMember } from "../http/delivery-deps.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "enableDestination",
    summary: "Enable a destination",
    description:
      "Lets a destination be sent to again that was disabled because its receiver answered 410, or that is paused " +
      "because the member who made it has left: that only an owner may say.",
    family: "write",
    scope: "deliveries:write",
    needs: DELIVERY_CAPABILITIES,
  }),
  method: "post",
  path: "/api/account/workspaces/{workspaceId}/destinations/{destinationId}/enable",
  request: { params: destinationParams },
  responses: {
    200: success(destinationSchema, "The destination, active"),
    ...failures(400, 401, 403, 404, 429, 500, 501),
  },
});

export const enableDestination = defineRoute(route, async (c) => {
  const { workspaceId, destinationId } = c.req.valid("param");
  const membership = await requireMembership(c, workspaceId, "deliveries:write");
  const deps = deliveryDepsOf(c, membership);
  const enabled = acceptedValue(await whileMember(() => enable(deps, membership.workspaceId, destinationId)));
  return succeed(c, 200, presentDestination(enabled, deps.nowMs));
});
