import { refuse } from "#api/errors.ts";
import { assetSchema } from "#api/schemas/asset.ts";
import { completeUploadSchema } from "#api/schemas/upload.ts";
import { presentAsset } from "#domains/assets/asset.ts";
import { apiKey } from "#interface/http/access.ts";
import { BOOKMARK_HEADER } from "#interface/http/bookmark.ts";
import { outliveClient } from "#interface/http/continue-after-disconnect.ts";
import { acceptedValue, RefusedRequest, succeed } from "#interface/http/envelope.ts";
import { identityOf, shownEffect } from "#interface/http/idempotency.ts";
import { callerOf, completionDeps } from "#interface/http/operation-deps.ts";
import { describeMissing } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { completeUploadOnce } from "#operations/complete-upload.ts";

export const completeUploadRoute = defineRoute({
  operationId: "completeUpload",
  method: "post",
  path: "/api/v1/assets/uploads/{uploadId}/complete",
  tag: "Assets",
  summary: "Complete an upload",
  description:
    "Reads the stored bytes. When they are what the intent says, the asset becomes ready. A file that is " +
    "something else is rejected for good (`ASSET_REJECTED`); bytes that are missing or of another length may be " +
    "sent again (`UPLOAD_MISMATCH`).",
  access: apiKey("assets:write", { isCheckedInEffect: true }),
  window: "write",
  // Not storage: without it this operation alone answers 502 (API §4.27).
  needs: ["idempotency"],
  errors: [
    "UPLOAD_NOT_FOUND",
    "UPLOAD_ALREADY_COMPLETED",
    "UPLOAD_EXPIRED",
    "UPLOAD_MISMATCH",
    "ASSET_REJECTED",
    "SERVICE_BUSY",
    "UPLOAD_SERVICE_NOT_CONFIGURED",
  ],
  isIdempotent: true,
  json: completeUploadSchema,
  responses: { 200: success(assetSchema, "The ready asset", BOOKMARK_HEADER) },
  handler: async (c) => {
    if (c.var.capabilities.storage === null) {
      const { message, details } = describeMissing(c, "storage");
      throw new RefusedRequest(refuse("UPLOAD_SERVICE_NOT_CONFIGURED", message, details));
    }
    const { uploadId } = c.req.valid("param");
    const body = c.req.valid("json");
    const work = completeUploadOnce(completionDeps(c), callerOf(c), identityOf(c), uploadId, body);
    const { value: asset } = shownEffect(c, acceptedValue(await outliveClient(c, work)));
    return succeed(c, 200, presentAsset(asset));
  },
});
