import { previewQuotaSchema } from "#api/schemas/preview.ts";
import { presentQuota } from "#domains/previews/quota-client.ts";
import { apiKey } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { allowanceDeps, callerOf } from "#interface/http/operation-deps.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { readAllowance } from "#operations/draw-preview.ts";
import { PREVIEW_HEADERS, writePreviewHeaders } from "./preview-headers.ts";

export const getPreviewQuotaRoute = defineRoute({
  operationId: "getPreviewQuota",
  method: "get",
  path: "/api/v1/previews/quota",
  tag: "Previews",
  summary: "Read the preview allowance",
  description:
    "What is left of the workspace's previews of the day and of the key's burst, and how its previews are " +
    "protected. Reserves nothing and draws nothing.",
  access: apiKey("previews:read"),
  window: null,
  needs: ["previewQuota"],
  errors: ["PREVIEW_UNAVAILABLE"],
  responses: { 200: success(previewQuotaSchema, "The allowance as it stands", PREVIEW_HEADERS) },
  handler: async (c) => {
    const quota = presentQuota(acceptedValue(await readAllowance(allowanceDeps(c), callerOf(c))));
    writePreviewHeaders(c, quota, c.var.nowMs);
    return succeed(c, 200, quota);
  },
});
