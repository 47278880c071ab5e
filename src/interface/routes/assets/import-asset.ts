import { LIMITS } from "#api/limits.ts";
import { assetSchema, importAssetSchema } from "#api/schemas/asset.ts";
import { presentAsset } from "#domains/assets/asset.ts";
import { apiKey } from "#interface/http/access.ts";
import { BOOKMARK_HEADER } from "#interface/http/bookmark.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { identityOf, shownEffect } from "#interface/http/idempotency-header.ts";
import { callerOf, importDeps } from "#interface/http/operation-deps.ts";
import { defineRoute, pollHeaders, success } from "#interface/http/route.ts";
import { importAsset } from "#operations/import-asset.ts";

export const importAssetRoute = defineRoute({
  operationId: "importAsset",
  route: "POST /api/v1/assets/imports",
  summary: "Import an asset by URL",
  description:
    "Creates an asset, and fetches its file from an `https` URL after the response. Poll the asset: it is " +
    "`processing`, then `ready`, or `rejected` with a reason. The file is checked like an upload; its type and " +
    `size are read from the bytes. At most ${LIMITS.importRedirectsMax} redirects are followed, and each target ` +
    "must itself be a valid import URL. A server that does not respond is retried for about ten minutes. An error " +
    "response of the server, or a file that the slot does not accept, rejects the asset at once.",
  access: apiKey("assets:write"),
  needs: ["storage", "idempotency", "imports"],
  errors: ["UPLOAD_INTENT_INVALID", "ADDRESS_REFUSED", "ASSET_LIMIT_REACHED"],
  isIdempotent: true,
  json: importAssetSchema,
  responses: {
    202: success(assetSchema, "The asset, which is `processing`", {
      ...BOOKMARK_HEADER,
      ...pollHeaders("asset"),
    }),
    200: success(assetSchema, "The asset from an earlier request with this key, in its current state"),
  },
  handler: async (c, { json }) => {
    const { idempotencyKey } = identityOf(c);
    const imported = await importAsset(importDeps(c), callerOf(c), json, idempotencyKey);
    const { value: asset, isReplay } = shownEffect(c, acceptedValue(imported));
    if (isReplay) return succeed(c, 200, presentAsset(asset));
    c.header("Location", `/api/v1/assets/${asset.assetId}`);
    c.header("Retry-After", String(LIMITS.importPollAfterSeconds));
    return succeed(c, 202, presentAsset(asset));
  },
});
