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
    "A webhook or store that artifacts can be sent to by id. A webhook can also receive messages when jobs end and " +
    "when credits run low. Saving the same address again updates the existing destination.",
  ...DELIVERIES,
  errors: ["DESTINATION_LIMIT_REACHED", "ADDRESS_REFUSED"],
  json: saveDestinationSchema,
  responses: {
    200: success(savedDestinationSchema, "The updated destination"),
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
  description: "All destinations of the workspace without their secrets, newest first.",
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
  description: "The destination without its secrets and without the query of a webhook's URL.",
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
    "Changes a webhook's `events` and `lowBalanceBelow`, or a store's `secretAccessKey`. Absent members stay as " +
    "they are. The address cannot change: save a new destination and remove this one.",
  ...DELIVERIES,
  errors: ["DESTINATION_NOT_FOUND"],
  json: updateDestinationSchema,
  responses: { 200: success(destinationSchema, "The changed destination") },
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
  description: "Erases its secrets and cancels pending deliveries. Past deliveries can still be read.",
  ...DELIVERIES,
  errors: ["DESTINATION_NOT_FOUND"],
  responses: { 200: success(destinationSchema, "The removed destination") },
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
    "Enables a destination that was disabled because its receiver answered 410, or paused because the member who " +
    "created it left. A paused one can only be enabled by an owner, with an account session.",
  ...DELIVERIES,
  errors: ["DESTINATION_NOT_FOUND", "ROLE_INSUFFICIENT"],
  responses: { 200: success(destinationSchema, "The active destination") },
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
    "Sends a signed message of type `webhook.test`, with the usual retries. If one is already on its way, that " +
    "delivery is returned. Poll the delivery.",
  ...DELIVERIES,
  errors: [
    "DESTINATION_NOT_FOUND",
    "DESTINATION_UNSUPPORTED",
    "DESTINATION_DISABLED",
    "DESTINATION_PAUSED",
    "DESTINATION_LIMIT_REACHED",
  ],
  responses: { 202: success(deliverySchema, "The delivery of the message") },
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
    "Returns a new secret, only once. For 24 hours every message is signed with both secrets, so that the receiver " +
    "can switch at any time.",
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
