import type { Route } from "#interface/http/route.ts";
import { listWorkspaceArtifactsRoute } from "../artifacts/list-artifacts.ts";
import { getWorkspaceBalanceRoute } from "../balance/get-balance.ts";
import { listWorkspaceUsageRoute } from "../balance/list-usage.ts";
import { listWorkspaceJobsRoute } from "../jobs/list-jobs.ts";
import { createWorkspaceApiKeyRoute } from "../keys/create-api-key.ts";
import { createSessionKeyRoute } from "../keys/create-session-key.ts";
import { listWorkspaceApiKeysRoute } from "../keys/list-api-keys.ts";
import { revokeWorkspaceApiKeyRoute } from "../keys/revoke-api-key.ts";
import { updateWorkspaceApiKeyRoute } from "../keys/update-api-key.ts";
import { getWorkspaceStatementRoute } from "../usage/get-statement.ts";
import { getWorkspaceUsageSummaryRoute } from "../usage/get-usage-summary.ts";
import {
  acceptInvitationRoute,
  createInvitationRoute,
  listMembersRoute,
  removeMemberRoute,
  withdrawInvitationRoute,
} from "../workspaces/members.ts";
import { createWorkspaceRoute, listWorkspacesRoute, renameWorkspaceRoute } from "../workspaces/workspaces.ts";

export const routes: readonly Route[] = [
  ...[listWorkspacesRoute, createWorkspaceRoute, renameWorkspaceRoute],
  ...[getWorkspaceBalanceRoute, listWorkspaceUsageRoute],
  ...[getWorkspaceUsageSummaryRoute, getWorkspaceStatementRoute],
  ...[listWorkspaceApiKeysRoute, createWorkspaceApiKeyRoute],
  ...[updateWorkspaceApiKeyRoute, revokeWorkspaceApiKeyRoute],
  ...[createSessionKeyRoute],
  ...[listWorkspaceJobsRoute, listWorkspaceArtifactsRoute],
  ...[listMembersRoute, removeMemberRoute, createInvitationRoute],
  ...[withdrawInvitationRoute, acceptInvitationRoute],
];
