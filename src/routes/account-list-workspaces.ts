import { createRoute } from "@hono/zod-openapi";
import { listWorkspaces, presentWorkspace } from "../accounts/workspaces.ts";
import { workspaceListSchema } from "../contract/schemas/workspace.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "listWorkspaces",
    summary: "List the account's workspaces",
    description: "Its own and those it was asked into, newest first.",
    family: "read",
    needs: [],
    scope: null,
  }),
  method: "get",
  path: "/api/account/workspaces",
  responses: { 200: success(workspaceListSchema, "The workspaces"), ...failures(401, 429, 500, 501) },
});

export const accountListWorkspaces = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "accounts");
  const workspaces = await listWorkspaces(db, c.var.session.accountId);
  return succeed(c, 200, { items: workspaces.map(presentWorkspace) });
});
