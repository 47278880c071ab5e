import type { Context } from "hono";
import type { Outcome } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import { assetSchema, type ImportAssetBody, importAssetSchema } from "#api/schemas/asset.ts";
import { type Asset, getAssetEvenDeleted, presentAsset } from "#domains/assets/asset.ts";
import { enqueueImports } from "#domains/assets/imports/dispatch-imports.ts";
import { createImport } from "#domains/assets/imports/import-create.ts";
import { apiKey } from "#interface/http/access.ts";
import { BOOKMARK_HEADER, bookmarkedDatabase } from "#interface/http/bookmark.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { type IdempotentResult, type RequestIdentity, withIdempotency } from "#interface/http/idempotency.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { noteWritten } from "#platform/log/origin-of-work.ts";

/**
 * Makes the asset of an import once for its Idempotency-Key and has its file fetched, or shows the one that an equal
 * request made. Refuses as `createImport`, and with 409 for a key that was used otherwise.
 */
export async function startImport(
  c: Context<AppEnv>,
  body: ImportAssetBody,
  identity?: RequestIdentity,
): Promise<Outcome<IdempotentResult<Asset>>> {
  const workspace = c.get("workspace");
  const { db, showWritten } = bookmarkedDatabase(workspace.db);
  const { workspaceKind } = c.get("principal");
  const { queue, ...rules } = requireCapability(c, "imports");
  const started = await withIdempotency(c, {
    identity,
    body,
    execute: (claim) => createImport({ db, ...rules }, claim, workspaceKind, body),
    replay: (assetId) => getAssetEvenDeleted(db, workspace.workspaceId, assetId),
  });
  if (!started.ok || started.value.isReplay) return started;
  noteWritten(started.value.value.assetId);
  c.executionCtx.waitUntil(enqueueImports(queue, workspace.db));
  showWritten(c);
  return started;
}

export const importAssetRoute = defineRoute({
  operationId: "importAsset",
  method: "post",
  path: "/api/v1/assets/imports",
  tag: "Assets",
  summary: "Import an asset from an address",
  description:
    "Makes an asset whose file the service fetches from an `https` address, after the answer. Poll the asset: it is " +
    "`processing`, then `ready`, or `rejected` with the reason. The file is checked as an upload is; its type and size " +
    `are read from it. At most ${LIMITS.importRedirectsMax} redirects are followed, each only to an address that could be ` +
    "imported itself. A server that does not answer is asked again for about ten minutes; a refusal by it, and a file " +
    "that the slot does not take, reject the asset at once.",
  access: apiKey("assets:write"),
  window: "write",
  needs: ["storage", "idempotency", "imports"],
  errors: ["UPLOAD_INTENT_INVALID", "ADDRESS_REFUSED", "ASSET_LIMIT_REACHED"],
  isIdempotent: true,
  json: importAssetSchema,
  responses: {
    202: success(assetSchema, "The asset, which is `processing`", {
      ...BOOKMARK_HEADER,
      Location: { description: "Path of the asset.", schema: { type: "string" } },
      "Retry-After": {
        description: "Seconds until a poll makes sense.",
        schema: { type: "integer", minimum: 1 },
      },
    }),
    200: success(assetSchema, "The asset an earlier request with this key made, as it is now"),
  },
  handler: async (c) => {
    const { value: asset, isReplay } = acceptedValue(await startImport(c, c.req.valid("json")));
    if (isReplay) return succeed(c, 200, presentAsset(asset));
    c.header("Location", `/api/v1/assets/${asset.assetId}`);
    c.header("Retry-After", String(LIMITS.importPollAfterSeconds));
    return succeed(c, 202, presentAsset(asset));
  },
});
