import { createRoute } from "@hono/zod-openapi";
import { readReadyArtifact } from "../artifacts/service.ts";
import { artifactParams } from "../contract/schemas/artifact.ts";
import { startedDeliverySchema } from "../contract/schemas/delivery.ts";
import { sendArtifactSchema } from "../contract/schemas/destination.ts";
import { createDelivery } from "../deliveries/create-delivery.ts";
import { readDestination } from "../deliveries/manage-destination.ts";
import { presentDelivery } from "../deliveries/present-delivery.ts";
import { readDelivery } from "../deliveries/retry-delivery.ts";
import { saveDestination } from "../deliveries/save-destination.ts";
import { DELIVERY_CAPABILITIES, deliveryDepsOf, whileMember } from "../http/delivery-deps.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { publicOrigin } from "../http/public-origin.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireArtifactWorkspace } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";
import { announceDeliveries } from "../queue/send-delivery-messages.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "createDestination",
    summary: "Send an artifact to a destination",
    description:
      "Sends the pack to a webhook (a signed message with manifest and short-lived links) or to an S3-compatible " +
      "store (every file, then `manifest.json`). A new destination is saved and can be named by its id from then on. " +
      "While the same artifact is on its way to the same destination, asking again shows that delivery. Poll the " +
      "delivery; docs/deliveries.md has the schedule of attempts and how to verify a message.",
    family: "write",
    scope: "deliveries:write",
    needs: DELIVERY_CAPABILITIES,
    takesJson: true,
  }),
  method: "post",
  path: "/api/account/artifacts/{artifactId}/destinations",
  request: {
    params: artifactParams,
    body: { required: true, content: { "application/json": { schema: sendArtifactSchema } } },
  },
  responses: {
    202: success(startedDeliverySchema, "The delivery has begun"),
    ...failures(400, 401, 403, 404, 409, 415, 422, 429, 500, 501),
  },
});

export const createDestination = defineRoute(route, async (c) => {
  const { artifactId } = c.req.valid("param");
  const body = c.req.valid("json");
  const membership = await requireArtifactWorkspace(c, artifactId, "deliveries:write");
  const { workspaceId } = membership;
  const deps = deliveryDepsOf(c, membership);
  const artifact = acceptedValue(await readReadyArtifact(deps, workspaceId, artifactId));
  const started = await whileMember(async () => {
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
  c.executionCtx.waitUntil(announceDeliveries(queue, deps.db));
  const { delivery, files } = acceptedValue(await readDelivery(deps.db, workspaceId, started.deliveryId));
  c.header("Location", `/api/account/workspaces/${workspaceId}/deliveries/${started.deliveryId}`);
  return succeed(c, 202, {
    ...presentDelivery(delivery, files),
    signingSecret: started.signingSecret,
  });
});
