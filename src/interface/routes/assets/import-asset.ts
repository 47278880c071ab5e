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
  summary: "Import an asset from an address",
  description:
    "Makes an asset whose file the service fetches from an `https` address, after the answer. Poll the asset: it is " +
    "`processing`, then `ready`, or `rejected` with the reason. The file is checked as an upload is; its type and size " +
    `are read from it. At most ${LIMITS.importRedirectsMax} redirects are followed, each only to an address that could be ` +
    "imported itself. A server that does not answer is asked again for about ten minutes; a refusal by it, and a file " +
    "that the slot does not take, reject the asset at once.",
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
    200: success(assetSchema, "The asset an earlier request with this key made, as it is now"),
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
