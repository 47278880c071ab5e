import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type Outcome, refuse } from "../contract/errors.ts";
import { type PackRequest, packRequestSchema } from "../contract/schemas/job.ts";
import { previewSchema } from "../contract/schemas/preview.ts";
import type { AppEnv } from "../http/context.ts";
import { acceptedValue, RefusedRequest, succeed } from "../http/envelope.ts";
import { idempotencyHeaders, once } from "../http/idempotency.ts";
import { defineRoute, failures, failuresWith, operation, success } from "../http/operation.ts";
import { outliveClient } from "../http/outlive-client.ts";
import { PREVIEW_HEADERS, quotaOf, writePreviewHeaders } from "../http/preview-headers.ts";
import { requireCapability } from "../http/require-capability.ts";
import { readPaidAccess } from "../ledger/service.ts";
import { clock } from "../platform/clock.ts";
import { withLargeMemorySoon } from "../platform/memory.ts";
import { getRenderer, withRendererSoon } from "../platform/render-engine.ts";
import { allowanceOf } from "../previews/allowance.ts";
import {
  admitRequest,
  createPreview as createProtectedPreview,
  recallPreview,
} from "../previews/create-preview.ts";
import { presentPreview } from "../previews/present-preview.ts";
import type { PreviewClient } from "../previews/quota.ts";

const shown = success(previewSchema, "The preview, and the allowance after it");

const route = createRoute({
  ...operation({
    operationId: "createPreview",
    summary: "Create a protected preview",
    description:
      "Takes a job's body and draws the first of `selectedSizeIds` with the same renderer, as a PNG that is protected " +
      "by the workspace's access. It costs no credits and needs none. It takes one unit of the workspace's allowance " +
      "of the day, unless the same preview was drawn before: that is shown again with `cached: true` and takes " +
      "nothing, and neither does a replay or a preview that could not be drawn. What a job would refuse with 422 is " +
      "400 here, with the job's code as `details.reason`. Also needs the scope `assets:read` where assets are named.",
    tag: "Previews",
    scope: "previews:write",
    family: null,
    needs: ["database", "storage", "idempotency", "previewQuota"],
    takesJson: true,
  }),
  method: "post",
  path: "/api/v1/previews",
  request: {
    headers: idempotencyHeaders,
    body: { required: true, content: { "application/json": { schema: packRequestSchema } } },
  },
  responses: {
    200: { ...shown, headers: { ...shown.headers, ...PREVIEW_HEADERS } },
    ...failures(400, 401, 403, 409, 415, 500, 501, 502, 503),
    ...failuresWith(PREVIEW_HEADERS, 429),
  },
});

/** The value of an outcome; a refusal for want of allowance leaves with the headers that a success has. */
function allowedValue<T>(c: Context<AppEnv>, outcome: Outcome<T>): T {
  const quota = outcome.ok ? null : quotaOf(outcome.details);
  if (quota !== null) writePreviewHeaders(c, quota, clock.now());
  return acceptedValue(outcome);
}

function requireAssetScope(c: Context<AppEnv>, { assetIds }: PackRequest): void {
  const namesAssets = Object.values(assetIds).some((assetId) => assetId !== undefined);
  if (!namesAssets || c.var.principal.scopes.includes("assets:read")) return;
  throw new RefusedRequest(
    refuse("SCOPE_MISSING", "The key lacks the scope assets:read, and the body names assets.", {
      requiredScope: "assets:read",
    }),
  );
}

export const createPreview = defineRoute(route, async (c) => {
  const request = c.req.valid("json");
  requireAssetScope(c, request);
  const { db } = requireCapability(c, "database");
  const { workspaceId, apiKeyId } = c.var.principal;
  const access = await readPaidAccess(db, workspaceId, c.var.nowMs);
  const client: PreviewClient = {
    quotas: requireCapability(c, "previewQuota"),
    workspaceId,
    apiKeyId,
    allowance: allowanceOf(access, c.env),
  };
  const quota = allowedValue(c, await admitRequest(client));
  const deps = {
    db,
    bucket: requireCapability(c, "storage"),
    characters: getRenderer(),
    withMemory: withLargeMemorySoon,
    withRenderer: withRendererSoon,
  };
  const work = once(c, {
    idempotencyKey: c.req.valid("header")["idempotency-key"],
    body: request,
    perform: (claim) => createProtectedPreview(deps, client, quota, claim, request),
    recall: (remembered) => recallPreview(deps, client, quota, remembered, request),
  });
  const { value } = allowedValue(c, await outliveClient(c, work));
  const preview = presentPreview(value.kept, value.isCached, value.quota);
  writePreviewHeaders(c, preview.quota, clock.now());
  c.header("X-Preview-Protection", preview.protection);
  return succeed(c, 200, preview);
});
