import { refuse } from "#api/errors.ts";
import { assetSchema } from "#api/schemas/asset.ts";
import { completeUploadSchema } from "#api/schemas/upload.ts";
import { getAssetEvenDeleted, presentAsset } from "#domains/assets/asset.ts";
import { completeUpload } from "#domains/assets/complete-upload.ts";
import { uploadById } from "#domains/assets/store.ts";
import { apiKey } from "#interface/http/access.ts";
import { BOOKMARK_HEADER, bookmarkedDatabase } from "#interface/http/bookmark.ts";
import { outliveClient } from "#interface/http/continue-after-disconnect.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { withIdempotency } from "#interface/http/idempotency.ts";
import { describeMissing } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { getRenderer } from "#platform/render-engine.ts";

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
    const { uploadId } = c.req.valid("param");
    const body = c.req.valid("json");
    const workspace = c.get("workspace");
    const { db, showWritten } = bookmarkedDatabase(workspace.db);
    const { storage } = c.var.capabilities;
    const lacking = describeMissing(c, "storage");
    const { value } = acceptedValue(
      storage === null
        ? refuse("UPLOAD_SERVICE_NOT_CONFIGURED", lacking.message, lacking.details)
        : await outliveClient(
            c,
            withIdempotency(c, {
              body,
              reads: (session) => [
                uploadById.bind(session, { workspaceId: workspace.workspaceId, uploadId }),
              ],
              execute: (claim, [read]) =>
                completeUpload(
                  { db, bucket: storage, getRenderer },
                  claim,
                  uploadId,
                  body,
                  uploadById.row(read),
                ),
              replay: (assetId) => getAssetEvenDeleted(db, workspace.workspaceId, assetId),
            }),
          ),
    );
    showWritten(c);
    return succeed(c, 200, presentAsset(value));
  },
});
