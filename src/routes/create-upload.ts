import { createRoute } from "@hono/zod-openapi";
import { createUpload as createPendingUpload, readUpload } from "../assets/create-upload.ts";
import { presentIntent } from "../assets/upload.ts";
import { createUploadSchema, uploadIntentSchema } from "../contract/schemas/upload.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { idempotencyHeaders, once } from "../http/idempotency.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { publicOrigin } from "../http/public-origin.ts";
import { requireCapability } from "../http/require-capability.ts";

const route = createRoute({
  ...operation({
    operationId: "createUpload",
    summary: "Create an upload intent",
    description:
      "Send the bytes to the returned `url` with its `method` and `headers` and the same API key, then complete " +
      "the upload. A replay returns the same intent, also after it has expired; `expiresAt` tells.",
    tag: "Assets",
    scope: "assets:write",
    family: "write",
    needs: ["database", "storage", "idempotency"],
    takesJson: true,
  }),
  method: "post",
  path: "/api/v1/assets/uploads",
  request: {
    headers: idempotencyHeaders,
    body: { required: true, content: { "application/json": { schema: createUploadSchema } } },
  },
  responses: {
    201: success(uploadIntentSchema, "The new intent"),
    200: success(uploadIntentSchema, "The same intent, replayed"),
    ...failures(400, 401, 403, 409, 415, 429, 500, 501),
  },
});

export const createUpload = defineRoute(route, async (c) => {
  const body = c.req.valid("json");
  const { db } = requireCapability(c, "database");
  const { workspaceId, workspaceKind } = c.var.principal;
  const { value, isReplay } = acceptedValue(
    await once(c, {
      idempotencyKey: c.req.valid("header")["idempotency-key"],
      body,
      perform: (claim) => createPendingUpload(db, claim, workspaceKind, body),
      recall: (uploadId) => readUpload(db, workspaceId, uploadId),
    }),
  );
  return succeed(c, isReplay ? 200 : 201, presentIntent(value, publicOrigin(c)));
});
