import type { Context } from "hono";
import { accept, type Outcome } from "#api/errors.ts";
import { type PackRequest, packRequestSchema } from "#api/schemas/job.ts";
import { previewSchema } from "#api/schemas/preview.ts";
import { idsOf } from "#domains/assets/ready-inputs.ts";
import { assetsByIds } from "#domains/assets/store.ts";
import { readPaidAccess } from "#domains/ledger/service.ts";
import {
  admitRequest,
  createPreview,
  presentPreview,
  replayPreview,
  type ShownPreview,
} from "#domains/previews/create-preview.ts";
import { entitlementOf } from "#domains/previews/entitlement.ts";
import type { PreviewClient } from "#domains/previews/quota-client.ts";
import { markSeedOf } from "#domains/previews/watermark-seed.ts";
import { apiKey } from "#interface/http/access.ts";
import { requireScope } from "#interface/http/authenticate.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { outliveClient } from "#interface/http/continue-after-disconnect.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { type RequestIdentity, withIdempotency } from "#interface/http/idempotency.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { clock } from "#platform/clock.ts";
import { hmacSha256Hex } from "#platform/crypto/hashing.ts";
import { copyChecks, withRendererSoon } from "#platform/render-engine.ts";
import { PREVIEW_HEADERS, quotaOf, writePreviewHeaders } from "./preview-headers.ts";

/** The value of an outcome; a refusal because of the quota carries the headers of a success. */
function allowedValue<T>(c: Context<AppEnv>, outcome: Outcome<T>): T {
  const quota = outcome.ok ? null : quotaOf(outcome.details);
  if (quota !== null) writePreviewHeaders(c, quota, clock.now());
  return acceptedValue(outcome);
}

function requireAssetScope(c: Context<AppEnv>, { assetIds }: PackRequest): void {
  const namesAssets = Object.values(assetIds).some((assetId) => assetId !== undefined);
  if (namesAssets) requireScope(c.get("principal"), "assets:read", "the body names assets");
}

/**
 * The preview of a request, drawn once for its Idempotency-Key. Refuses as `admitRequest` and `createPreview`; 403 for a
 * key that may not read the assets that the request names.
 */
export async function drawPreview(
  c: Context<AppEnv>,
  request: PackRequest,
  identity?: RequestIdentity,
): Promise<Outcome<ShownPreview>> {
  const { db, workspaceId } = c.get("workspace");
  const { countedAs } = c.get("principal");
  const access = await readPaidAccess(db, workspaceId, c.var.nowMs);
  const client: PreviewClient = {
    quotas: requireCapability(c, "previewQuota"),
    workspaceId,
    apiKeyId: countedAs,
    entitlement: entitlementOf(access, c.env),
  };
  const quota = await admitRequest(client);
  if (!quota.ok) return quota;
  requireAssetScope(c, request);
  const { keyPepper } = requireCapability(c, "database");
  const deps = {
    db,
    bucket: requireCapability(c, "storage"),
    ...copyChecks(),
    markSeed: markSeedOf(workspaceId, client.entitlement.protection, await hmacSha256Hex(keyPepper, "mark")),
    withRenderer: withRendererSoon,
  };
  const work = withIdempotency(c, {
    identity,
    body: request,
    reads: (session) => [
      assetsByIds.bind(session, { workspaceId, assetIds: JSON.stringify(idsOf(request.assetIds)) }),
    ],
    execute: (claim, [assets]) =>
      createPreview(deps, client, quota.value, claim, request, assetsByIds.rows(assets)),
    replay: (remembered) => replayPreview(deps, client, quota.value, remembered, request),
  });
  const drawn = await outliveClient(c, work);
  return drawn.ok ? accept(drawn.value.value) : drawn;
}

export const createPreviewRoute = defineRoute({
  operationId: "createPreview",
  method: "post",
  path: "/api/v1/previews",
  tag: "Previews",
  summary: "Create a protected preview",
  description:
    "Takes a job's body and draws the first of `selectedSizeIds` with the same renderer, as a PNG that is protected " +
    "by the workspace's access. It costs no credits and needs none. It takes one unit of the workspace's allowance " +
    "of the day, unless the same preview was drawn before: that is shown again with `cached: true` and takes " +
    "nothing, and neither does a replay or a preview that could not be drawn. What a job would refuse with 422 is " +
    "400 here, with the job's code as `details.reason`. Also needs the scope `assets:read` where assets are named.",
  access: apiKey("previews:write"),
  window: null,
  needs: ["storage", "idempotency", "previewQuota"],
  errors: [
    "ASSET_NOT_READY",
    "PREVIEW_RATE_LIMITED",
    "PREVIEW_QUOTA_EXCEEDED",
    "PREVIEW_RENDER_FAILED",
    "PREVIEW_UNAVAILABLE",
  ],
  isIdempotent: true,
  json: packRequestSchema,
  responses: { 200: success(previewSchema, "The preview, and the allowance after it", PREVIEW_HEADERS) },
  failureHeaders: { 429: PREVIEW_HEADERS },
  handler: async (c) => {
    const shown = allowedValue(c, await drawPreview(c, c.req.valid("json")));
    const preview = presentPreview(shown);
    writePreviewHeaders(c, preview.quota, clock.now());
    c.header("X-Preview-Protection", preview.protection);
    return succeed(c, 200, preview);
  },
});
