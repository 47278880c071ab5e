import { deliverySchema } from "#api/schemas/delivery.ts";
import {
  destinationListSchema,
  destinationSchema,
  saveDestinationSchema,
  savedDestinationSchema,
  updateDestinationSchema,
} from "#api/schemas/destination.ts";
import { presentDestination } from "#domains/deliveries/destination.ts";
import { destinationsOfWorkspace } from "#domains/deliveries/destination-store.ts";
import { enqueueDeliveries } from "#domains/deliveries/dispatch-deliveries.ts";
import {
  changeDestination,
  enableDestination,
  readDestination,
  removeDestination,
  rotateSigningSecret,
} from "#domains/deliveries/manage-destination.ts";
import { presentDelivery } from "#domains/deliveries/present-delivery.ts";
import { saveDestination } from "#domains/deliveries/save-destination.ts";
import { testDestination } from "#domains/deliveries/webhook/test-destination.ts";
import { whileAdmitted } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineTwins, success } from "#interface/http/route.ts";
import { noteWritten } from "#platform/log/origin-of-work.ts";
import { bothPaths, DELIVERIES, deliveryDepsOf, deliveryPath } from "./delivery-deps.ts";

const [saveDestinationRoute, saveWorkspaceDestinationRoute] = defineTwins({
  ...bothPaths("saveDestination", "POST", "/destinations", "Save a destination"),
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
      await whileAdmitted(() => saveDestination(deps, workspaceId, json)),
    );
    const body = { destination: presentDestination(destination, deps.nowMs), signingSecret };
    return isNew ? succeed(c, 201, body) : succeed(c, 200, body);
  },
});

const [listDestinationsRoute, listWorkspaceDestinationsRoute] = defineTwins({
  ...bothPaths("listDestinations", "GET", "/destinations", "List destinations"),
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

const [getDestinationRoute, getWorkspaceDestinationRoute] = defineTwins({
  ...bothPaths("getDestination", "GET", "/destinations/{destinationId}", "Read a destination"),
  description: "Everything of it but its secrets and the query of a webhook's address.",
  ...DELIVERIES,
  errors: ["DESTINATION_NOT_FOUND"],
  responses: { 200: success(destinationSchema, "The destination") },
  handler: async (c, { db, workspaceId, param: { destinationId } }) =>
    succeed(
      c,
      200,
      presentDestination(acceptedValue(await readDestination(db, workspaceId, destinationId)), c.var.nowMs),
    ),
});

const [updateDestinationRoute, updateWorkspaceDestinationRoute] = defineTwins({
  ...bothPaths("updateDestination", "PATCH", "/destinations/{destinationId}", "Change a destination"),
  description:
    "Changes a webhook's `events` and `lowBalanceBelow`, or a store's `secretAccessKey`; absent members stay. The address " +
    "itself never changes: save the other address and remove this one.",
  ...DELIVERIES,
  errors: ["DESTINATION_NOT_FOUND"],
  json: updateDestinationSchema,
  responses: { 200: success(destinationSchema, "The destination, changed") },
  handler: async (c, { workspaceId, param: { destinationId }, json }) => {
    const deps = deliveryDepsOf(c);
    const changed = acceptedValue(
      await whileAdmitted(() => changeDestination(deps, workspaceId, destinationId, json)),
    );
    return succeed(c, 200, presentDestination(changed, deps.nowMs));
  },
});

const [removeDestinationRoute, removeWorkspaceDestinationRoute] = defineTwins({
  ...bothPaths("removeDestination", "DELETE", "/destinations/{destinationId}", "Remove a destination"),
  description:
    "Its secrets are erased, and what is still to be sent to it is not. Its deliveries stay readable.",
  ...DELIVERIES,
  errors: ["DESTINATION_NOT_FOUND"],
  responses: { 200: success(destinationSchema, "The destination as it was") },
  handler: async (c, { workspaceId, param: { destinationId } }) => {
    const deps = deliveryDepsOf(c);
    const removed = acceptedValue(
      await whileAdmitted(() => removeDestination(deps, workspaceId, destinationId)),
    );
    return succeed(c, 200, presentDestination(removed, deps.nowMs));
  },
});

const [enableDestinationRoute, enableWorkspaceDestinationRoute] = defineTwins({
  ...bothPaths("enableDestination", "POST", "/destinations/{destinationId}/enable", "Enable a destination"),
  description:
    "Lets a destination be sent to again that was disabled because its receiver answered 410, or that is paused " +
    "because the member who made it has left: the latter only by an owner with an account session.",
  ...DELIVERIES,
  errors: ["DESTINATION_NOT_FOUND", "ROLE_INSUFFICIENT"],
  responses: { 200: success(destinationSchema, "The destination, active") },
  handler: async (c, { workspaceId, param: { destinationId } }) => {
    const deps = deliveryDepsOf(c);
    const enabled = acceptedValue(
      await whileAdmitted(() => enableDestination(deps, workspaceId, destinationId)),
    );
    return succeed(c, 200, presentDestination(enabled, deps.nowMs));
  },
});

const [testDestinationRoute, testWorkspaceDestinationRoute] = defineTwins({
  ...bothPaths(
    "testDestination",
    "POST",
    "/destinations/{destinationId}/test",
    "Send a webhook a test message",
  ),
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
    const delivery = acceptedValue(
      await whileAdmitted(() => testDestination(db, guards, destination, nowMs)),
    );
    noteWritten(delivery.deliveryId);
    c.executionCtx.waitUntil(enqueueDeliveries(requireCapability(c, "deliveries").queue, db));
    c.header("Location", deliveryPath(c, delivery.deliveryId));
    return succeed(c, 202, presentDelivery(delivery, []));
  },
});

const [rotateSigningSecretRoute, rotateWorkspaceSigningSecretRoute] = defineTwins({
  ...bothPaths(
    "rotateSigningSecret",
    "POST",
    "/destinations/{destinationId}/rotate-secret",
    "Rotate a webhook's signing secret",
  ),
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
      await whileAdmitted(() => rotateSigningSecret(deps, workspaceId, destinationId)),
    );
    return succeed(c, 200, { destination: presentDestination(destination, deps.nowMs), signingSecret });
  },
});

export const destinationRoutes = [
  ...[saveDestinationRoute, listDestinationsRoute, getDestinationRoute, updateDestinationRoute],
  ...[removeDestinationRoute, enableDestinationRoute, testDestinationRoute, rotateSigningSecretRoute],
];

export const workspaceDestinationRoutes = [
  ...[saveWorkspaceDestinationRoute, listWorkspaceDestinationsRoute, getWorkspaceDestinationRoute],
  ...[updateWorkspaceDestinationRoute, removeWorkspaceDestinationRoute, enableWorkspaceDestinationRoute],
  ...[testWorkspaceDestinationRoute, rotateWorkspaceSigningSecretRoute],
];
