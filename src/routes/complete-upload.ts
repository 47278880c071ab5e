import { createRoute } from "@hono/zod-openapi";
import { presentAsset } from "../assets/asset.ts";
import { completeUpload as verifyAndComplete } from "../assets/complete-upload.ts";
import { recallAsset } from "../assets/service.ts";
import { refuse } from "../contract/errors.ts";
import { assetSchema } from "../contract/schemas/asset.ts";
import { completeUploadSchema, uploadParams } from "../contract/schemas/upload.ts";
import { bookmarkedDatabase, withBookmark } from "../http/bookmark.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { idempotencyHeaders, once } from "../http/idempotency.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { outliveClient } from "../http/outlive-client.ts";
import { describeMissing, requireCapability } from "../http/require-capability.ts";
import { getRenderer } from "../platform/render-engine.ts";

const route = createRoute({
  ...operation({
    operationId: "completeUpload",
    summary: "Complete an upload",
    description:
      "Reads the stored bytes. When they are what the intent says, the asset becomes ready. A file that is " +
      "something else is rejected for good (`ASSET_REJECTED`); bytes that are missing or of another length may be " +
      "sent again (`UPLOAD_MISMATCH`).",
    tag: "Assets",
    scope: "assets:write",
    family: "write",
    // Storage is asked for below: this route alone answers 502 where it is missing (API §4.27).
    needs: ["database", "idempotency"],
    takesJson: true,
  }),
  method: "post",
  path: "/api/v1/assets/uploads/{uploadId}/complete",
  request: {
    params: uploadParams,
    headers: idempotencyHeaders,
    body: { required: true, content: { "application/json": { schema: completeUploadSchema } } },
  },
  responses: {
    200: withBookmark(success(assetSchema, "The ready asset")),
    ...failures(400, 401, 403, 404, 409, 415, 422, 429, 500, 501, 502),
  },
});

export const completeUpload = defineRoute(route, async (c) => {
  const { uploadId } = c.req.valid("param");
  const body = c.req.valid("json");
  const { db, showWritten } = bookmarkedDatabase(requireCapability(c, "database").db);
  const { storage } = c.var.capabilities;
  const lacking = describeMissing(c, "storage");
  const { value } = acceptedValue(
    storage === null
      ? refuse("UPLOAD_SERVICE_NOT_CONFIGURED", lacking.message, lacking.details)
      : await outliveClient(
          c,
          once(c, {
            idempotencyKey: c.req.valid("header")["idempotency-key"],
            body,
            perform: (claim) =>
              verifyAndComplete({ db, bucket: storage, getRenderer }, claim, uploadId, body),
            recall: (assetId) => recallAsset(db, c.var.principal.workspaceId, assetId),
          }),
        ),
  );
  showWritten(c);
  return succeed(c, 200, presentAsset(value));
});
