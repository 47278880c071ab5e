import type { Route } from "#interface/http/route.ts";
import { deleteAssetRoute, getAssetContentRoute, getAssetRoute, listAssetsRoute } from "../assets/assets.ts";
import { importAssetRoute } from "../assets/import-asset.ts";
import {
  completeUploadRoute,
  createUploadRoute,
  proxyUploadObjectRoute,
  putUploadObjectRoute,
} from "../assets/uploads.ts";

export const routes: readonly Route[] = [
  ...[listAssetsRoute, getAssetRoute, getAssetContentRoute, deleteAssetRoute],
  ...[createUploadRoute, putUploadObjectRoute, proxyUploadObjectRoute, completeUploadRoute],
  ...[importAssetRoute],
];
