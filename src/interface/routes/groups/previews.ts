import type { Route } from "#interface/http/route.ts";
import { createPreviewRoute, getPreviewQuotaRoute } from "../previews/previews.ts";

export const routes: readonly Route[] = [getPreviewQuotaRoute, createPreviewRoute];
