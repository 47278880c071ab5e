import type { Context } from "hono";
import type { Outcome } from "#api/errors.ts";
import { packRequestSchema } from "#api/schemas/job.ts";
import { previewSchema } from "#api/schemas/preview.ts";
import { presentPreview } from "#domains/previews/create-preview.ts";
import { apiKey } from "#interface/http/access.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { outliveClient } from "#interface/http/continue-after-disconnect.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { identityOf, shownEffect } from "#interface/http/idempotency.ts";
import { callerOf, previewDeps } from "#interface/http/operation-deps.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { drawPreview } from "#operations/draw-preview.ts";
import { clock } from "#platform/clock.ts";
import { PREVIEW_HEADERS, quotaOf, writePreviewHeaders } from "./preview-headers.ts";

/** The value of an outcome; a refusal because of the quota carries the headers of a success. */
function allowedValue<T>(c: Context<AppEnv>, outcome: Outcome<T>): T {
  const quota = outcome.ok ? null : quotaOf(outcome.details);
  if (quota !== null) writePreviewHeaders(c, quota, clock.now());
  return acceptedValue(outcome);
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
    const { idempotencyKey } = identityOf(c);
    const work = drawPreview(previewDeps(c), callerOf(c), c.req.valid("json"), idempotencyKey);
    const shown = shownEffect(c, allowedValue(c, await outliveClient(c, work)));
    const preview = presentPreview(shown.value);
    writePreviewHeaders(c, preview.quota, clock.now());
    c.header("X-Preview-Protection", preview.protection);
    return succeed(c, 200, preview);
  },
});
