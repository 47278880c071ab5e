import { deliverySchema } from "#api/schemas/delivery.ts";
import {
  destinationListSchema,
  destinationSchema,
  saveDestinationSchema,
  savedDestinationSchema,
} from "#api/schemas/destination.ts";
import { presentDestination } from "#domains/deliveries/destination.ts";
import { destinationsOfWorkspace } from "#domains/deliveries/destination-store.ts";
import { enqueueDeliveries } from "#domains/deliveries/dispatch-deliveries.ts";
import {
  enableDestination,
  readDestination,
  removeDestination,
  rotateSigningSecret,
} from "#domains/deliveries/manage-destination.ts";
import { presentDelivery } from "#domains/deliveries/present-delivery.ts";
import { saveDestination } from "#domains/deliveries/save-destination.ts";
import { testDestination } from "#domains/deliveries/webhook/test-destination.ts";
import { whileMember } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { noteWritten } from "#platform/log/origin-of-work.ts";
import { DELIVERIES, deliveryDepsOf } from "./delivery-deps.ts";

const saveDestinationRoute = defineRoute({
  operationId: "saveDestination",
  route: "POST /api/account/workspaces/{workspaceId}/destinations",
  summary: "Save a destination",
  description:
    "A webhook or a store that artifacts are sent to by its id. A webhook may also be told when jobs end and when " +
    "the credits run low. Saving the same address again brings the saved one up to date.",
  ...DELIVERIES,
  errors: ["DESTINATION_LIMIT_REACHED", "ADDRESS_REFUSED"],
  json: saveDestinationSchema,
  responses: {
    200: success(savedDestinationSchema, "The destination was there, and is as asked for now"),
    201: success(savedDestinationSchema, "The destination, and the secret of a webhook"),
  },
  handler: async (c, { workspaceId, json }) => {
    const deps = deliveryDepsOf(c);
    const { destination, signingSecret, isNew } = acceptedValue(
      await whileMember(() => saveDestination(deps, workspaceId, json)),
    );
    const body = { destination: presentDestination(destination, deps.nowMs), signingSecret };
    return isNew ? succeed(c, 201, body) : succeed(c, 200, body);
  },
});

const listDestinationsRoute = defineRoute({
  operationId: "listDestinations",
  route: "GET /api/account/workspaces/{workspaceId}/destinations",
  summary: "List destinations",
  description: "All saved destinations of the workspace, newest first, without their secrets.",
  ...DELIVERIES,
  responses: { 200: success(destinationListSchema, "The destinations") },
  handler: async (c, { db, workspaceId }) => {
    const found = await destinationsOfWorkspace.all(db, { workspaceId });
    return succeed(c, 200, {
      items: found.map((destination) => presentDestination(destination, c.var.nowMs)),
    });
  },
});

const removeDestinationRoute = defineRoute({
  operationId: "removeDestination",
  route: "DELETE /api/account/workspaces/{workspaceId}/destinations/{destinationId}",
  summary: "Remove a destination",
  description:
    "Its secrets are erased, and what is still to be sent to it is not. Its deliveries stay readable.",
  ...DELIVERIES,
  errors: ["DESTINATION_NOT_FOUND"],
  responses: { 200: success(destinationSchema, "The destination as it was") },
  handler: async (c, { workspaceId, param: { destinationId } }) => {
    const deps = deliveryDepsOf(c);
    const removed = acceptedValue(
      await whileMember(() => removeDestination(deps, workspaceId, destinationId)),
    );
    return succeed(c, 200, presentDestination(removed, deps.nowMs));
  },
});

const enableDestinationRoute = defineRoute({
  operationId: "enableDestination",
  route: "POST /api/account/workspaces/{workspaceId}/destinations/{destinationId}/enable",
  summary: "Enable a destination",
  description:
    "Lets a destination be sent to again that was disabled because its receiver answered 410, or that is paused " +
    "because the member who made it has left: that only an owner may say.",
  ...DELIVERIES,
  errors: ["DESTINATION_NOT_FOUND"],
  responses: { 200: success(destinationSchema, "The destination, active") },
  handler: async (c, { workspaceId, param: { destinationId } }) => {
    const deps = deliveryDepsOf(c);
    const enabled = acceptedValue(
      await whileMember(() => enableDestination(deps, workspaceId, destinationId)),
    );
    return succeed(c, 200, presentDestination(enabled, deps.nowMs));
  },
});

const testDestinationRoute = defineRoute({
  operationId: "testDestination",
  route: "POST /api/account/workspaces/{workspaceId}/destinations/{destinationId}/test",
  summary: "Send a webhook a test message",
  description:
    "A signed message of type `webhook.test` that is about nothing, with the attempts of any other. While one is on its " +
    "way, asking again shows that delivery. Poll the delivery.",
  ...DELIVERIES,
  errors: [
    "DESTINATION_NOT_FOUND",
    "DESTINATION_UNSUPPORTED",
    "DESTINATION_DISABLED",
    "DESTINATION_PAUSED",
    "DESTINATION_LIMIT_REACHED",
  ],
  responses: { 202: success(deliverySchema, "The message is on its way") },
  handler: async (c, { workspaceId, param: { destinationId } }) => {
    const { db, guards, nowMs } = deliveryDepsOf(c);
    const destination = acceptedValue(await readDestination(db, workspaceId, destinationId));
    const delivery = acceptedValue(await whileMember(() => testDestination(db, guards, destination, nowMs)));
    noteWritten(delivery.deliveryId);
    c.executionCtx.waitUntil(enqueueDeliveries(requireCapability(c, "deliveries").queue, db));
    c.header("Location", `/api/account/workspaces/${workspaceId}/deliveries/${delivery.deliveryId}`);
    return succeed(c, 202, presentDelivery(delivery, []));
  },
});

const rotateSigningSecretRoute = defineRoute({
  operationId: "rotateSigningSecret",
  route: "POST /api/account/workspaces/{workspaceId}/destinations/{destinationId}/rotate-secret",
  summary: "Rotate a webhook's signing secret",
  description:
    "Shows a new secret, once. For 24 hours every message carries a signature of each, so that the receiver can " +
    "change over at any time in between.",
  ...DELIVERIES,
  window: "keys",
  errors: ["DESTINATION_NOT_FOUND", "DESTINATION_DISABLED", "DESTINATION_LIMIT_REACHED"],
  responses: { 200: success(savedDestinationSchema, "The destination and its new secret") },
  handler: async (c, { workspaceId, param: { destinationId } }) => {
    const deps = deliveryDepsOf(c);
    const { destination, signingSecret } = acceptedValue(
      await whileMember(() => rotateSigningSecret(deps, workspaceId, destinationId)),
    );
    return succeed(c, 200, { destination: presentDestination(destination, deps.nowMs), signingSecret });
  },
});

export const destinationRoutes = [
  ...[saveDestinationRoute, listDestinationsRoute, removeDestinationRoute],
  ...[enableDestinationRoute, testDestinationRoute, rotateSigningSecretRoute],
];
