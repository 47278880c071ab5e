import type { Route } from "#interface/http/route.ts";
import { connectAgentRoute } from "../account/agents.ts";
import { listWorkspaceArtifactsRoute } from "../artifacts/artifacts.ts";
import { getWorkspaceBalanceRoute, listWorkspaceUsageRoute } from "../balance/balance.ts";
import { listWorkspaceJobsRoute } from "../jobs/jobs.ts";
import {
  createWorkspaceApiKeyRoute,
  listWorkspaceApiKeysRoute,
  revokeWorkspaceApiKeyRoute,
  updateWorkspaceApiKeyRoute,
} from "../keys/api-keys.ts";
import { createSessionKeyRoute } from "../keys/create-session-key.ts";
import { getWorkspaceStatementRoute, getWorkspaceUsageSummaryRoute } from "../usage/usage.ts";
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
  ...[createSessionKeyRoute, connectAgentRoute],
  ...[listWorkspaceJobsRoute, listWorkspaceArtifactsRoute],
  ...[listMembersRoute, removeMemberRoute, createInvitationRoute],
  ...[withdrawInvitationRoute, acceptInvitationRoute],
];
