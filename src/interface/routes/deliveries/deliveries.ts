import {
  deliveryListQuery,
  deliveryPageSchema,
  deliverySchema,
  startedDeliverySchema,
} from "#api/schemas/delivery.ts";
import { sendArtifactSchema } from "#api/schemas/destination.ts";
import { readDetailedArtifact } from "#domains/artifacts/service.ts";
import { enqueueDeliveries } from "#domains/deliveries/dispatch-deliveries.ts";
import {
  createDelivery,
  listDeliveries,
  readDelivery,
  retryDelivery,
} from "#domains/deliveries/manage-delivery.ts";
import { readDestination } from "#domains/deliveries/manage-destination.ts";
import { presentDelivery, presentDeliverySummary } from "#domains/deliveries/present-delivery.ts";
import { saveDestination } from "#domains/deliveries/save-destination.ts";
import type { Principal } from "#domains/keys/principal.ts";
import { whileAdmitted } from "#interface/http/access.ts";
import { requireScope } from "#interface/http/authenticate.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineTwins, success } from "#interface/http/route.ts";
import { presentPage } from "#platform/db/page.ts";
import { noteWritten } from "#platform/log/origin-of-work.ts";
import { bothPaths, DELIVERIES, deliveryDepsOf, deliveryPath } from "./delivery-deps.ts";
import { destinationRoutes, workspaceDestinationRoutes } from "./destinations.ts";

const sending = bothPaths(
  "sendArtifact",
  "POST",
  "/artifacts/{artifactId}/destinations",
  "Send an artifact to a destination",
  "/api/account",
);

const [sendArtifactRoute, createDeliveryRoute] = defineTwins({
  ...sending,
  // Keeps the operation id that clients of the session route already use.
  forMember: { ...sending.forMember, operationId: "createDelivery" },
  description:
    "Sends the pack to a webhook (a signed message with manifest and short-lived links) or to an S3-compatible " +
    "store (all files, then `manifest.json`). A new destination is saved and can be reused by its id. If the same " +
    "artifact is already on its way to the same destination, that delivery is returned. A key also needs " +
    "`artifacts:read`. Poll the delivery. docs/deliveries.md describes retries and the verification of messages.",
  ...DELIVERIES,
  errors: [
    "ARTIFACT_NOT_FOUND",
    "DESTINATION_NOT_FOUND",
    "ARTIFACT_NOT_READY",
    "FILE_CORRUPT",
    "DESTINATION_DISABLED",
    "DESTINATION_PAUSED",
    "DESTINATION_LIMIT_REACHED",
    "ADDRESS_REFUSED",
  ],
  json: sendArtifactSchema,
  responses: { 202: success(startedDeliverySchema, "The new delivery") },
  handler: async (c, { workspaceId, param: { artifactId }, json: body }) => {
    const principal: Principal | undefined = c.get("principal");
    if (principal) requireScope(principal, "artifacts:read", "a delivery sends the pack's files");
    const deps = deliveryDepsOf(c);
    const artifact = acceptedValue(
      await readDetailedArtifact(deps, requireCapability(c, "storage"), workspaceId, artifactId),
    );
    const started = await whileAdmitted(async () => {
      const { destination, signingSecret } =
        "destinationId" in body
          ? {
              destination: acceptedValue(await readDestination(deps.db, workspaceId, body.destinationId)),
              signingSecret: null,
            }
          : acceptedValue(await saveDestination(deps, workspaceId, body));
      const origin = publicOrigin(c);
      const delivery = acceptedValue(await createDelivery({ ...deps, origin }, artifact, destination));
      return { deliveryId: delivery.deliveryId, signingSecret };
    });
    const { queue } = requireCapability(c, "deliveries");
    noteWritten(started.deliveryId);
    c.executionCtx.waitUntil(enqueueDeliveries(queue, deps.db));
    const { delivery, files } = acceptedValue(await readDelivery(deps.db, workspaceId, started.deliveryId));
    c.header("Location", deliveryPath(c, started.deliveryId));
    return succeed(c, 202, {
      ...presentDelivery(delivery, files),
      signingSecret: started.signingSecret,
    });
  },
});

const [listDeliveriesRoute, listWorkspaceDeliveriesRoute] = defineTwins({
  ...bothPaths("listDeliveries", "GET", "/deliveries", "List deliveries"),
  description:
    "Past and pending deliveries of artifacts and messages, newest first. Finished deliveries are stored for 30 " +
    "days. Use `status=dead` to find those that are no longer retried.",
  ...DELIVERIES,
  query: deliveryListQuery,
  responses: { 200: success(deliveryPageSchema, "A page of deliveries") },
  handler: async (c, { db, workspaceId, query: { limit, before, status } }) => {
    const filter = { status: status ?? null, before: before ?? null };
    const page = acceptedValue(await listDeliveries(db, workspaceId, filter, limit));
    return succeed(c, 200, presentPage(page, presentDeliverySummary));
  },
});

const [getDeliveryRoute, getWorkspaceDeliveryRoute] = defineTwins({
  ...bothPaths("getDelivery", "GET", "/deliveries/{deliveryId}", "Read a delivery"),
  description: "Status, objects already in the store, and why the last attempt failed.",
  ...DELIVERIES,
  errors: ["DELIVERY_NOT_FOUND"],
  responses: { 200: success(deliverySchema, "The delivery") },
  handler: async (c, { db, workspaceId, param: { deliveryId } }) => {
    const { delivery, files } = acceptedValue(await readDelivery(db, workspaceId, deliveryId));
    return succeed(c, 200, presentDelivery(delivery, files));
  },
});

const [retryDeliveryRoute, retryWorkspaceDeliveryRoute] = defineTwins({
  ...bothPaths("retryDelivery", "POST", "/deliveries/{deliveryId}/retry", "Try a delivery again"),
  description:
    "Restarts a dead or waiting delivery immediately, with the same id and a new set of attempts. All objects of a " +
    "store are sent again.",
  ...DELIVERIES,
  errors: ["DELIVERY_NOT_FOUND", "DESTINATION_DISABLED", "DESTINATION_PAUSED", "DELIVERY_NOT_RETRYABLE"],
  responses: { 202: success(deliverySchema, "The restarted delivery") },
  handler: async (c, { db, workspaceId, param: { deliveryId } }) => {
    const { guards, nowMs } = deliveryDepsOf(c);
    const { delivery, files } = acceptedValue(
      await whileAdmitted(() => retryDelivery(db, guards, workspaceId, deliveryId, nowMs)),
    );
    noteWritten(deliveryId);
    c.executionCtx.waitUntil(enqueueDeliveries(requireCapability(c, "deliveries").queue, db));
    return succeed(c, 202, presentDelivery(delivery, files));
  },
});

export const routes = [
  ...destinationRoutes,
  ...[sendArtifactRoute, listDeliveriesRoute, getDeliveryRoute, retryDeliveryRoute],
  ...workspaceDestinationRoutes,
  ...[createDeliveryRoute, listWorkspaceDeliveriesRoute],
  ...[getWorkspaceDeliveryRoute, retryWorkspaceDeliveryRoute],
];
