import { createRoute } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { refuse } from "../contract/errors.ts";
import { packRequestSchema } from "../contract/schemas/job.ts";
import { previewQuotaSchema, previewSchema } from "../contract/schemas/preview.ts";
import type { AppEnv } from "../http/context.ts";
import { RefusedRequest } from "../http/envelope.ts";
import { idempotencyHeaders } from "../http/idempotency.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";

/** Previews have no service behind them on this origin: both routes know their caller, then answer 501. */

const refusePreviews = (): never => {
  throw new RefusedRequest(refuse("SERVICE_NOT_CONFIGURED", "Previews are not configured on this origin."));
};

/** Before validation, as for every service that is not configured. */
const previewsAreMissing = createMiddleware<AppEnv>(refusePreviews);

const NOTE = "Not configured in this version of the service: every call that is let in answers 501.";

const quotaOperation = operation({
  operationId: "getPreviewQuota",
  summary: "Read the preview allowance",
  description: `What is left of the allowance, and how previews are protected. ${NOTE}`,
  tag: "Previews",
  scope: "previews:read",
  family: null,
  needs: [],
});

const quotaRoute = createRoute({
  ...quotaOperation,
  middleware: [...quotaOperation.middleware, previewsAreMissing],
  method: "get",
  path: "/api/v1/previews/quota",
  responses: {
    200: success(previewQuotaSchema, "The allowance, where previews are configured"),
    ...failures(401, 403, 500, 501),
  },
});

const createOperation = operation({
  operationId: "createPreview",
  summary: "Create a protected preview",
  description: `Draws the first of \`selectedSizeIds\` as a protected PNG; costs no credits. ${NOTE}`,
  tag: "Previews",
  scope: "previews:write",
  family: "write",
  needs: [],
});

const createPreviewRoute = createRoute({
  ...createOperation,
  middleware: [...createOperation.middleware, previewsAreMissing],
  method: "post",
  path: "/api/v1/previews",
  request: {
    headers: idempotencyHeaders,
    body: { required: true, content: { "application/json": { schema: packRequestSchema } } },
  },
  responses: {
    200: success(previewSchema, "The preview, where previews are configured"),
    ...failures(401, 403, 429, 500, 501),
  },
});

export const getPreviewQuota = defineRoute(quotaRoute, refusePreviews);
export const createPreview = defineRoute(createPreviewRoute, refusePreviews);
