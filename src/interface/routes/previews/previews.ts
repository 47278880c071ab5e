import type { Context } from "hono";
import type { z } from "zod";
import type { Outcome } from "#api/errors.ts";
import { PREVIEW_PROTECTIONS } from "#api/preview-quota.ts";
import { createPreviewSchema, previewQuotaSchema, previewSchema } from "#api/schemas/preview.ts";
import { presentPreview } from "#domains/previews/create-preview.ts";
import { presentQuota } from "#domains/previews/quota-client.ts";
import { apiKey } from "#interface/http/access.ts";
import { type AppEnv, finishAfterDisconnect } from "#interface/http/context.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { identityOf, shownEffect } from "#interface/http/idempotency-header.ts";
import { allowanceDeps, callerOf, previewDeps } from "#interface/http/operation-deps.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { drawPreview, readAllowance } from "#operations/draw-preview.ts";
import { clock } from "#platform/clock.ts";

type Quota = z.infer<typeof previewQuotaSchema>;

/** Sets the headers of both preview routes. Retry-After waits for every exhausted counter to reset (API §4.30). */
function writePreviewHeaders(c: Context<AppEnv>, quota: Quota, nowMs: number): void {
  const { product, burst, protection } = quota;
  c.header("X-Preview-Protection", protection);
  c.header("X-Preview-Quota-Limit", String(product.limit));
  c.header("X-Preview-Quota-Used", String(product.used));
  c.header("X-Preview-Quota-Remaining", String(product.remaining));
  c.header("X-Preview-Quota-Reset", product.resetsAt);
  const resets = [product, burst]
    .filter((counter) => counter.remaining === 0)
    .map((counter) => Date.parse(counter.resetsAt));
  if (resets.length === 0) return;
  c.header("Retry-After", String(Math.max(1, Math.ceil((Math.max(...resets) - nowMs) / 1_000))));
}

/** The quota in the details of an error, or null. */
function quotaOf(details: Readonly<Record<string, unknown>> | undefined): Quota | null {
  const parsed = previewQuotaSchema.safeParse(details?.quota);
  return parsed.success ? parsed.data : null;
}

const count = (description: string) => ({
  description,
  schema: { type: "integer" as const, minimum: 0 },
});

/** The same headers for the documentation. */
const PREVIEW_HEADERS = {
  "X-Preview-Protection": {
    description: "How previews of the workspace are protected.",
    schema: { type: "string" as const, enum: [...PREVIEW_PROTECTIONS] },
  },
  "X-Preview-Quota-Limit": count("Previews per UTC day for the workspace."),
  "X-Preview-Quota-Used": count("Previews used today."),
  "X-Preview-Quota-Remaining": count("Previews left today."),
  "X-Preview-Quota-Reset": {
    description: "When the daily allowance resets, UTC.",
    schema: { type: "string" as const, format: "date-time" },
  },
  "Retry-After": {
    description: "Seconds until every exhausted counter has reset; present if one is exhausted.",
    schema: { type: "integer" as const, minimum: 1 },
  },
};

/** The value of an outcome. An error about the quota gets the same headers as a success. */
function allowedValue<T>(c: Context<AppEnv>, outcome: Outcome<T>): T {
  const quota = outcome.ok ? null : quotaOf(outcome.details);
  if (quota !== null) writePreviewHeaders(c, quota, clock.now());
  return acceptedValue(outcome);
}

const createPreviewRoute = defineRoute({
  operationId: "createPreview",
  route: "POST /api/v1/previews",
  summary: "Create a protected preview",
  description:
    "Takes the body of a job and renders the first of `selectedSizeIds` with the same renderer. Returns a PNG that " +
    "is protected according to the workspace's access; for an animation, the frame in `frame`. It costs no " +
    "credits, but one unit of the workspace's daily allowance. An identical preview is returned from a cache " +
    "with `cached: true`. Like a replay, it does not count against the allowance. A failed preview counts only in " +
    "the burst counter. Errors " +
    "that are 422 for a job are 400 here, with the job's code as `details.reason`. Also needs the scope " +
    "`assets:read` if it uses assets.",
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
  json: createPreviewSchema,
  responses: { 200: success(previewSchema, "The preview and the remaining allowance", PREVIEW_HEADERS) },
  failureHeaders: { 429: PREVIEW_HEADERS },
  handler: async (c, { json }) => {
    const { idempotencyKey } = identityOf(c);
    const work = drawPreview(previewDeps(c), callerOf(c), json, idempotencyKey);
    const shown = shownEffect(c, allowedValue(c, await finishAfterDisconnect(c, work)));
    const preview = presentPreview(shown.value);
    writePreviewHeaders(c, preview.quota, clock.now());
    c.header("X-Preview-Protection", preview.protection);
    return succeed(c, 200, preview);
  },
});

const getPreviewQuotaRoute = defineRoute({
  operationId: "getPreviewQuota",
  route: "GET /api/v1/previews/quota",
  summary: "Read the preview allowance",
  description:
    "The workspace's remaining previews for today, the key's for this minute, and how previews are protected. " +
    "Reserves nothing and renders nothing.",
  access: apiKey("previews:read"),
  window: null,
  needs: ["previewQuota"],
  errors: ["PREVIEW_UNAVAILABLE"],
  responses: { 200: success(previewQuotaSchema, "The current allowance", PREVIEW_HEADERS) },
  handler: async (c) => {
    const quota = presentQuota(acceptedValue(await readAllowance(allowanceDeps(c), callerOf(c))));
    writePreviewHeaders(c, quota, c.var.nowMs);
    return succeed(c, 200, quota);
  },
});

export const routes = [getPreviewQuotaRoute, createPreviewRoute];
