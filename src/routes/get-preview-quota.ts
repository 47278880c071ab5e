import { createRoute } from "@hono/zod-openapi";
import { previewQuotaSchema } from "../contract/schemas/preview.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { PREVIEW_HEADERS, writePreviewHeaders } from "../http/preview-headers.ts";
import { requireCapability } from "../http/require-capability.ts";
import { readPaidAccess } from "../ledger/service.ts";
import { allowanceOf } from "../previews/allowance.ts";
import { presentQuota } from "../previews/present-preview.ts";
import { readQuota } from "../previews/quota.ts";

const answered = success(previewQuotaSchema, "The allowance as it stands");

const route = createRoute({
  ...operation({
    operationId: "getPreviewQuota",
    summary: "Read the preview allowance",
    description:
      "What is left of the workspace's previews of the day and of the key's burst, and how its previews are " +
      "protected. Reserves nothing and draws nothing.",
    tag: "Previews",
    scope: "previews:read",
    family: null,
    needs: ["database", "previewQuota"],
  }),
  method: "get",
  path: "/api/v1/previews/quota",
  responses: {
    200: { ...answered, headers: { ...answered.headers, ...PREVIEW_HEADERS } },
    ...failures(401, 403, 500, 501, 503),
  },
});

export const getPreviewQuota = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "database");
  const { workspaceId, apiKeyId } = c.var.principal;
  const access = await readPaidAccess(db, workspaceId, c.var.nowMs);
  const allowance = allowanceOf(access, c.env);
  const quotas = requireCapability(c, "previewQuota");
  const state = acceptedValue(await readQuota({ quotas, workspaceId, apiKeyId, allowance }));
  const quota = presentQuota(state);
  writePreviewHeaders(c, quota, c.var.nowMs);
  return succeed(c, 200, quota);
});
