import type { Route } from "#interface/http/route.ts";
import { createPreviewRoute } from "../previews/create-preview.ts";
import { getPreviewQuotaRoute } from "../previews/get-preview-quota.ts";

export const routes: readonly Route[] = [getPreviewQuotaRoute, createPreviewRoute];
