import { createRoute } from "@hono/zod-openapi";
import { destinationListSchema, workspaceParams } from "../contract/schemas/destination.ts";
import { presentDestination } from "../deliveries/destination.ts";
import { listDestinations as list } from "../deliveries/destination-store.ts";
import { DELIVERY_CAPABILITIES } from "../http/delivery-deps.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "listDestinations",
    summary: "List destinations",
    description: "All saved destinations of the workspace, newest first, without their secrets.",
    family: "read",
    scope: "deliveries:write",
    needs: DELIVERY_CAPABILITIES,
  }),
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/destinations",
  request: { params: workspaceParams },
  responses: {
    200: success(destinationListSchema, "The destinations"),
    ...failures(400, 401, 404, 429, 500, 501),
  },
});

export const listDestinations = defineRoute(route, async (c) => {
  const { workspaceId } = await requireMembership(c, c.req.valid("param").workspaceId, "deliveries:write");
  const found = await list(requireCapability(c, "database").db, workspaceId);
  return succeed(c, 200, {
    items: found.map((destination) => presentDestination(destination, c.var.nowMs)),
  });
});
