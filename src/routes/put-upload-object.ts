import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { receiveBytes } from "../assets/receive-bytes.ts";
import { UPLOAD_ID_HEADER } from "../assets/upload.ts";
import { accept, ERRORS, type Outcome, refuse } from "../contract/errors.ts";
import {
  UPLOAD_CONTENT_TYPES,
  uploadObjectHeaders,
  uploadObjectQuery,
  uploadParams,
} from "../contract/schemas/upload.ts";
import type { AppEnv } from "../http/context.ts";
import { acceptedValue } from "../http/envelope.ts";
import { defineRoute, failures, operation, successWithoutBody } from "../http/operation.ts";
import { outliveClient } from "../http/outlive-client.ts";
import { requireCapability } from "../http/require-capability.ts";

/** The two routes that take bytes. They differ in where the upload is named, and the proxy lists no 409. */

const bytes = z.string().openapi({ format: "binary" });
const body = {
  required: true,
  content: Object.fromEntries(UPLOAD_CONTENT_TYPES.map((contentType) => [contentType, { schema: bytes }])),
};

const definition = {
  description:
    "Length and Content-Type must be those of the intent; `application/octet-stream` stands for the intent's type. " +
    "Bytes may be sent again until the upload is completed; the last to arrive count.",
  tag: "Assets",
  scope: "assets:write",
  family: "upload-bytes",
  needs: ["database", "storage"],
} as const;

const objectRoute = createRoute({
  ...operation({ ...definition, operationId: "putUploadObject", summary: "Send the bytes of an upload" }),
  method: "put",
  path: "/api/v1/assets/uploads/{uploadId}/object",
  request: { params: uploadParams, body },
  responses: {
    204: successWithoutBody("The bytes are stored"),
    ...failures(400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 501),
  },
});

const proxyRoute = createRoute({
  ...operation({
    ...definition,
    operationId: "proxyUploadObject",
    summary: "Send the bytes of an upload to the intent's url",
  }),
  method: "put",
  path: "/api/v1/assets/upload-object",
  request: { query: uploadObjectQuery, headers: uploadObjectHeaders, body },
  responses: {
    204: successWithoutBody("The bytes are stored"),
    ...failures(400, 401, 403, 404, 413, 415, 422, 429, 500, 501),
  },
});

/** The declared length, or null when there is none to trust. */
function declaredLength(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

/** A sender that hangs up after its last byte leaves nothing half done: bytes that are stored and no row names would stay. */
function receive(c: Context<AppEnv>, uploadId: string): Promise<Outcome<void>> {
  const receiving = receiveBytes(
    requireCapability(c, "database").db,
    requireCapability(c, "storage"),
    {
      workspaceId: c.var.principal.workspaceId,
      apiKeyId: c.var.principal.apiKeyId,
      uploadId,
      contentType: c.req.header("Content-Type") ?? null,
      contentLength: declaredLength(c.req.header("Content-Length")),
      body: c.req.raw.body,
    },
    c.var.nowMs,
  );
  return outliveClient(c, receiving);
}

export const putUploadObject = defineRoute(objectRoute, async (c) => {
  acceptedValue(await receive(c, c.req.valid("param").uploadId));
  return c.body(null, 204);
});

export const proxyUploadObject = defineRoute(proxyRoute, async (c) => {
  const inQuery = c.req.valid("query").uploadId;
  const inHeader = c.req.valid("header")[UPLOAD_ID_HEADER];
  const uploadId = acceptedValue(agreedUploadId(inQuery, inHeader));
  acceptedValue(withoutConflict(await receive(c, uploadId)));
  return c.body(null, 204);
});

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
