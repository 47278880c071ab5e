import { createRoute } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { refuse } from "../contract/errors.ts";
import { artifactParams } from "../contract/schemas/artifact.ts";
import type { AppEnv } from "../http/context.ts";
import { RefusedRequest } from "../http/envelope.ts";
import { defineRoute, failures, operation } from "../http/operation.ts";

const refuseDeliveries = (): never => {
  throw new RefusedRequest(
    refuse("SERVICE_NOT_CONFIGURED", "Accounts and deliveries are not configured on this origin."),
  );
};

const definition = operation({
  operationId: "createDestination",
  summary: "Send an artifact to a destination",
  description:
    "Takes an account session, covered by `deliveries:write`, not an API key. " +
    "Not configured in this version of the service: every call answers 501.",
  tag: "Account",
  scope: null,
  family: null,
  needs: [],
});

const route = createRoute({
  ...definition,
  // Before validation, as for every service that is not configured.
  middleware: [...definition.middleware, createMiddleware<AppEnv>(refuseDeliveries)],
  method: "post",
  path: "/api/account/artifacts/{artifactId}/destinations",
  request: { params: artifactParams },
  responses: {
    202: { description: "The delivery was taken on, where deliveries are configured" },
    ...failures(501),
  },
});

/** An artifact is sent nowhere until accounts and deliveries exist here. */
export const createDestination = defineRoute(route, refuseDeliveries);
