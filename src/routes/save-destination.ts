import { createRoute } from "@hono/zod-openapi";
import {
  saveDestinationSchema,
  savedDestinationSchema,
  workspaceParams,
} from "../contract/schemas/destination.ts";
import { presentDestination } from "../deliveries/destination.ts";
import { saveDestination as save } from "../deliveries/save-destination.ts";
import { DELIVERY_CAPABILITIES, deliveryDepsOf, whileMember } from "../http/delivery-deps.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "saveDestination",
    summary: "Save a destination",
    description:
      "A webhook or a store that artifacts are sent to by its id. A webhook may also be told when jobs end and when " +
      "the credits run low. Saving the same address again brings the saved one up to date.",
    family: "write",
    scope: "deliveries:write",
    needs: DELIVERY_CAPABILITIES,
    takesJson: true,
  }),
  method: "post",
  path: "/api/account/workspaces/{workspaceId}/destinations",
  request: {
    params: workspaceParams,
    body: { required: true, content: { "application/json": { schema: saveDestinationSchema } } },
  },
  responses: {
    200: success(savedDestinationSchema, "The destination was there, and is as asked for now"),
    201: success(savedDestinationSchema, "The destination, and the secret of a webhook"),
    ...failures(400, 401, 403, 404, 409, 415, 422, 429, 500, 501),
  },
});

export const saveDestination = defineRoute(route, async (c) => {
  const membership = await requireMembership(c, c.req.valid("param").workspaceId, "deliveries:write");
  const deps = deliveryDepsOf(c, membership);
  const { destination, signingSecret, isNew } = acceptedValue(
    await whileMember(() => save(deps, membership.workspaceId, c.req.valid("json"))),
  );
  const body = { destination: presentDestination(destination, deps.nowMs), signingSecret };
  return isNew ? succeed(c, 201, body) : succeed(c, 200, body);
});
