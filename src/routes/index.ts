import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../http/context.ts";
import { completeUpload } from "./complete-upload.ts";
import { createUpload } from "./create-upload.ts";
import { deleteAsset } from "./delete-asset.ts";
import { getAsset } from "./get-asset.ts";
import { listAssets } from "./list-assets.ts";
import { listContracts } from "./list-contracts.ts";
import { proxyUploadObject, putUploadObject } from "./put-upload-object.ts";

/** Every operation of the interface, in the order of the documentation. One line a room, so that edits stay apart. */
export function addRoutes(app: OpenAPIHono<AppEnv>): void {
  app.openapiRoutes([listContracts] as const);
  app.openapiRoutes([listAssets, getAsset, deleteAsset] as const);
  app.openapiRoutes([createUpload, putUploadObject, proxyUploadObject, completeUpload] as const);
}
