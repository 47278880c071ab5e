import type { Route } from "#interface/http/route.ts";
import { completeUploadRoute } from "../assets/complete-upload.ts";
import { createUploadRoute } from "../assets/create-upload.ts";
import { deleteAssetRoute } from "../assets/delete-asset.ts";
import { getAssetRoute } from "../assets/get-asset.ts";
import { getAssetContentRoute } from "../assets/get-asset-content.ts";
import { importAssetRoute } from "../assets/import-asset.ts";
import { listAssetsRoute } from "../assets/list-assets.ts";
import { proxyUploadObjectRoute, putUploadObjectRoute } from "../assets/send-upload-bytes.ts";

export const routes: readonly Route[] = [
  ...[listAssetsRoute, getAssetRoute, getAssetContentRoute, deleteAssetRoute],
  ...[createUploadRoute, putUploadObjectRoute, proxyUploadObjectRoute, completeUploadRoute],
  ...[importAssetRoute],
];
