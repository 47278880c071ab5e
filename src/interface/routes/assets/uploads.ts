import type { Context } from "hono";
import { accept, ERRORS, type Outcome, refuse } from "#api/errors.ts";
import { assetSchema } from "#api/schemas/asset.ts";
import {
  completeUploadSchema,
  createUploadSchema,
  UPLOAD_CONTENT_TYPES,
  uploadIntentSchema,
  uploadObjectHeaders,
  uploadObjectQuery,
} from "#api/schemas/upload.ts";
import { presentAsset } from "#domains/assets/asset.ts";
import { createUpload, readUpload } from "#domains/assets/create-upload.ts";
import { receiveBytes } from "#domains/assets/receive-bytes.ts";
import { presentIntent, UPLOAD_ID_HEADER } from "#domains/assets/upload.ts";
import { apiKey } from "#interface/http/access.ts";
import { BOOKMARK_HEADER } from "#interface/http/bookmark.ts";
import { type AppEnv, finishAfterDisconnect, nameSubject } from "#interface/http/context.ts";
import { acceptedValue, refused, succeed } from "#interface/http/envelope.ts";
import { identityOf, runOncePerKey, shownEffect } from "#interface/http/idempotency-header.ts";
import { callerOf, completionDeps } from "#interface/http/operation-deps.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { describeMissing, requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { completeUploadOnce } from "#operations/complete-upload.ts";

const createUploadRoute = defineRoute({
  operationId: "createUpload",
  route: "POST /api/v1/assets/uploads",
  summary: "Create an upload intent",
  description:
    "Send the bytes to the returned `url` with its `method` and `headers` and the same API key, then complete the " +
    "upload. A replay returns the same intent, even if it has expired; check `expiresAt`.",
  access: apiKey("assets:write", { isCheckedInEffect: true }),
  needs: ["storage", "idempotency"],
  errors: ["UPLOAD_INTENT_INVALID", "ASSET_LIMIT_REACHED"],
  isIdempotent: true,
  json: createUploadSchema,
  responses: {
    201: success(uploadIntentSchema, "The new intent"),
    200: success(uploadIntentSchema, "The same intent, replayed"),
  },
  handler: async (c, { db, workspaceId, json: body }) => {
    const { workspaceKind } = c.get("principal");
    const { value, isReplay } = await runOncePerKey(c, {
      body,
      locks: null,
      fastPath: async (claim) => {
        const made = await createUpload(db, claim, workspaceKind, body);
        return made.ok ? made.value : null;
      },
      execute: (claim) => createUpload(db, claim, workspaceKind, body),
      replay: (uploadId) => readUpload(db, workspaceId, uploadId),
    });
    return succeed(c, isReplay ? 200 : 201, presentIntent(value, publicOrigin(c)));
  },
});

/**
 * Shared by the two routes that accept bytes. They differ in the place of the upload id, and `proxyUploadObject` never
 * answers 409.
 */
const shared = {
  description:
    "Length and Content-Type must match the intent; `application/octet-stream` is also accepted. Until the upload " +
    "is completed the bytes may be sent again, and the last ones count.",
  access: apiKey("assets:write", { isCheckedInEffect: true }),
  window: "upload-bytes",
  needs: ["storage"],
  bytes: UPLOAD_CONTENT_TYPES,
  responses: { 204: { description: "The bytes are stored" } },
} as const;

const putUploadObjectRoute = defineRoute({
  ...shared,
  operationId: "putUploadObject",
  route: "PUT /api/v1/assets/uploads/{uploadId}/object",
  summary: "Upload the bytes",
  errors: ["UPLOAD_NOT_FOUND", "UPLOAD_ALREADY_COMPLETED", "UPLOAD_EXPIRED", "UPLOAD_MISMATCH"],
  handler: async (c, { param }) => {
    acceptedValue(await receive(c, param.uploadId));
    return c.body(null, 204);
  },
});

const proxyUploadObjectRoute = defineRoute({
  ...shared,
  operationId: "proxyUploadObject",
  route: "PUT /api/v1/assets/upload-object",
  summary: "Upload the bytes to the intent's URL",
  errors: ["UPLOAD_NOT_FOUND", "UPLOAD_CLOSED", "UPLOAD_MISMATCH"],
  query: uploadObjectQuery,
  headers: uploadObjectHeaders,
  handler: async (c, { query, header }) => {
    const inQuery = query.uploadId;
    const inHeader = header[UPLOAD_ID_HEADER];
    const uploadId = acceptedValue(agreedUploadId(inQuery, inHeader));
    acceptedValue(withoutConflict(await receive(c, uploadId)));
    return c.body(null, 204);
  },
});

/** The declared length, or null if it is missing or invalid. */
function declaredLength(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

/** Continues if the client disconnects after the last byte, so that no stored bytes lack a row. */
function receive(c: Context<AppEnv>, uploadId: string): Promise<Outcome<void>> {
  const receiving = receiveBytes(
    c.get("workspace").db,
    requireCapability(c, "storage"),
    {
      workspaceId: c.get("workspace").workspaceId,
      apiKeyId: c.get("principal").apiKeyId,
      uploadId,
      contentType: c.req.header("Content-Type") ?? null,
      contentLength: declaredLength(c.req.header("Content-Length")),
      body: c.req.raw.body,
      onFound: (asset) => nameSubject(c, { assetId: asset.assetId }),
    },
    c.get("nowMs"),
  );
  return finishAfterDisconnect(c, receiving);
}

/** The upload id from query or header; an error if they differ. */
function agreedUploadId(inQuery: string | undefined, inHeader: string | undefined): Outcome<string> {
  const uploadId = inQuery ?? inHeader;
  const problem =
    uploadId === undefined
      ? "is missing"
      : inHeader !== undefined && inHeader !== uploadId
        ? "differs between the two"
        : null;
  if (uploadId !== undefined && problem === null) return accept(uploadId);
  return refuse(
    "INVALID_REQUEST",
    `The upload id (query \`uploadId\` or header \`${UPLOAD_ID_HEADER}\`) ${problem}.`,
  );
}

/** A closed upload is 422 on the route without 409 (API §4.26). */
function withoutConflict(outcome: Outcome<void>): Outcome<void> {
  if (outcome.ok || ERRORS[outcome.code].status !== 409) return outcome;
  return refuse("UPLOAD_CLOSED", outcome.message, outcome.details);
}

const completeUploadRoute = defineRoute({
  operationId: "completeUpload",
  route: "POST /api/v1/assets/uploads/{uploadId}/complete",
  summary: "Complete an upload",
  description:
    "Verifies the stored bytes. If they match the intent, the asset becomes ready. A different kind of file is " +
    "rejected for good (`ASSET_REJECTED`). Missing bytes, or bytes of another length, can be sent again " +
    "(`UPLOAD_MISMATCH`).",
  access: apiKey("assets:write", { isCheckedInEffect: true }),
  // `storage` is not listed: without it this operation, unlike all others, returns 502 (API §4.27).
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
  handler: async (c, { param: { uploadId }, json: body }) => {
    if (c.var.capabilities.storage === null) {
      const { message, details } = describeMissing(c, "storage");
      throw refused("UPLOAD_SERVICE_NOT_CONFIGURED", message, details);
    }
    const work = completeUploadOnce(completionDeps(c), callerOf(c), identityOf(c), uploadId, body);
    const { value: asset } = shownEffect(c, acceptedValue(await finishAfterDisconnect(c, work)));
    return succeed(c, 200, presentAsset(asset));
  },
});

export const uploadRoutes = [
  createUploadRoute,
  putUploadObjectRoute,
  proxyUploadObjectRoute,
  completeUploadRoute,
];
