import { createUploadSchema, uploadIntentSchema } from "#api/schemas/upload.ts";
import { createUpload, readUpload } from "#domains/assets/create-upload.ts";
import { presentIntent } from "#domains/assets/upload.ts";
import { apiKey } from "#interface/http/access.ts";
import { succeed } from "#interface/http/envelope.ts";
import { onceForKey } from "#interface/http/idempotency.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { defineRoute, success } from "#interface/http/route.ts";

export const createUploadRoute = defineRoute({
  operationId: "createUpload",
  method: "post",
  path: "/api/v1/assets/uploads",
  tag: "Assets",
  summary: "Create an upload intent",
  description:
    "Send the bytes to the returned `url` with its `method` and `headers` and the same API key, then complete " +
    "the upload. A replay returns the same intent, also after it has expired; `expiresAt` tells.",
  access: apiKey("assets:write", { isCheckedInEffect: true }),
  window: "write",
  needs: ["storage", "idempotency"],
  errors: ["UPLOAD_INTENT_INVALID", "ASSET_LIMIT_REACHED"],
  isIdempotent: true,
  json: createUploadSchema,
  responses: {
    201: success(uploadIntentSchema, "The new intent"),
    200: success(uploadIntentSchema, "The same intent, replayed"),
  },
  handler: async (c) => {
    const body = c.req.valid("json");
    const { db, workspaceId } = c.get("workspace");
    const { workspaceKind } = c.get("principal");
    const { value, isReplay } = await onceForKey(c, {
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
