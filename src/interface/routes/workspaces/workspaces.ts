import {
  createWorkspaceBody,
  renameWorkspaceBody,
  workspaceListSchema,
  workspaceSchema,
} from "#api/schemas/workspace.ts";
import {
  createOwnWorkspace,
  getWorkspace,
  listWorkspaces,
  presentWorkspace,
  renameWorkspace,
} from "#domains/accounts/members/workspaces.ts";
import { OWNER, SESSION } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { locksOf, runOncePerKey } from "#interface/http/idempotency-header.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";

export const listWorkspacesRoute = defineRoute({
  operationId: "listWorkspaces",
  route: "GET /api/account/workspaces",
  summary: "List the account's workspaces",
  description: "Workspaces that the account owns or is a member of, newest first.",
  access: SESSION,
  responses: { 200: success(workspaceListSchema, "The workspaces") },
  handler: async (c) => {
    const { db } = requireCapability(c, "accounts");
    const workspaces = await listWorkspaces(db, c.var.session.accountId);
    return succeed(c, 200, { items: workspaces.map(presentWorkspace) });
  },
});

export const createWorkspaceRoute = defineRoute({
  operationId: "createWorkspace",
  route: "POST /api/account/workspaces",
  summary: "Create a workspace",
  description: "The account becomes its owner. It starts without credits.",
  access: SESSION,
  needs: ["database", "idempotency"],
  errors: ["WORKSPACE_LIMIT_REACHED"],
  isIdempotent: true,
  json: createWorkspaceBody,
  responses: {
    200: success(workspaceSchema, "The workspace from an earlier request with this key"),
    201: success(workspaceSchema, "The new workspace"),
  },
  handler: async (c, { json: body }) => {
    const { db, databases } = requireCapability(c, "accounts");
    const { accountId } = c.var.session;
    const { value, isReplay } = await runOncePerKey(c, {
      body,
      // The idempotency scope is the account, because the workspace does not exist yet.
      workspaceId: accountId,
      locks: locksOf(c),
      execute: (claim) => createOwnWorkspace(databases, claim, accountId, body.name),
      replay: (workspaceId) => getWorkspace(db, accountId, workspaceId),
    });
    return succeed(c, isReplay ? 200 : 201, presentWorkspace(value));
  },
});

export const renameWorkspaceRoute = defineRoute({
  operationId: "renameWorkspace",
  route: "PATCH /api/account/workspaces/{workspaceId}",
  summary: "Rename a workspace",
  description: "For owners. Members, emails and statements show the new name from now on.",
  access: OWNER,
  json: renameWorkspaceBody,
  responses: { 200: success(workspaceSchema, "The renamed workspace") },
  handler: async (c, { workspaceId, json }) => {
    const { db } = requireCapability(c, "accounts");
    const { accountId } = c.var.session;
    const renamed = await renameWorkspace(db, accountId, workspaceId, json.name);
    return succeed(c, 200, presentWorkspace(acceptedValue(renamed)));
  },
});
