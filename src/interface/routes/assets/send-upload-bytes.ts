import type { Context } from "hono";
import { accept, ERRORS, type Outcome, refuse } from "#api/errors.ts";
import { UPLOAD_CONTENT_TYPES, uploadObjectHeaders, uploadObjectQuery } from "#api/schemas/upload.ts";
import { receiveBytes } from "#domains/assets/receive-bytes.ts";
import { UPLOAD_ID_HEADER } from "#domains/assets/upload.ts";
import { apiKey } from "#interface/http/access.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { outliveClient } from "#interface/http/continue-after-disconnect.ts";
import { acceptedValue } from "#interface/http/envelope.ts";
import { nameSubject } from "#interface/http/log-resource-ids.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute } from "#interface/http/route.ts";

/** The two routes that take bytes. They differ in where the upload is named, and the proxy lists no 409. */
const shared = {
  method: "put",
  tag: "Assets",
  description:
    "Length and Content-Type must be those of the intent; `application/octet-stream` stands for the intent's type. " +
    "Bytes may be sent again until the upload is completed; the last to arrive count.",
  access: apiKey("assets:write", { isCheckedInEffect: true }),
  window: "upload-bytes",
  needs: ["storage"],
  bytes: UPLOAD_CONTENT_TYPES,
  responses: { 204: { description: "The bytes are stored" } },
} as const;

export const putUploadObjectRoute = defineRoute({
  ...shared,
  operationId: "putUploadObject",
  path: "/api/v1/assets/uploads/{uploadId}/object",
  summary: "Send the bytes of an upload",
  errors: ["UPLOAD_NOT_FOUND", "UPLOAD_ALREADY_COMPLETED", "UPLOAD_EXPIRED", "UPLOAD_MISMATCH"],
  handler: async (c) => {
    acceptedValue(await receive(c, c.req.valid("param").uploadId));
    return c.body(null, 204);
  },
});

export const proxyUploadObjectRoute = defineRoute({
  ...shared,
  operationId: "proxyUploadObject",
  path: "/api/v1/assets/upload-object",
  summary: "Send the bytes of an upload to the intent's url",
  errors: ["UPLOAD_NOT_FOUND", "UPLOAD_CLOSED", "UPLOAD_MISMATCH"],
  query: uploadObjectQuery,
  headers: uploadObjectHeaders,
  handler: async (c) => {
    const inQuery = c.req.valid("query").uploadId;
    const inHeader = c.req.valid("header")[UPLOAD_ID_HEADER];
    const uploadId = acceptedValue(agreedUploadId(inQuery, inHeader));
    acceptedValue(withoutConflict(await receive(c, uploadId)));
    return c.body(null, 204);
  },
});

/** The declared length, or null when there is none to trust. */
function declaredLength(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

/** Outlives a sender who hangs up after the last byte, so that no bytes are stored that no row names. */
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
  return outliveClient(c, receiving);
}

/** The one upload that query and header name between them. */
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

/** A closed upload is 422 on the route that has no 409 (API §4.26). */
function withoutConflict(outcome: Outcome<void>): Outcome<void> {
  if (outcome.ok || ERRORS[outcome.code].status !== 409) return outcome;
  return refuse("UPLOAD_CLOSED", outcome.message, outcome.details);
}
