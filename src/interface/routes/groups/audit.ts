import type { Route } from "#interface/http/route.ts";
import { listAuditRoute, listWorkspaceAuditRoute } from "../audit/audit.ts";

export const routes: readonly Route[] = [listAuditRoute, listWorkspaceAuditRoute];
