import { createRoute } from "@hono/zod-openapi";
import { listArtifacts, presentArtifactPage } from "../artifacts/list-artifacts.ts";
import { artifactListQuery, artifactPageSchema } from "../contract/schemas/artifact.ts";
import { workspaceParams } from "../contract/schemas/workspace.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "listWorkspaceArtifacts",
    summary: "List a workspace's artifacts",
    description: "Newest job first, without their files. `before` is a time at which a job was created.",
    family: "read",
    needs: [],
    scope: "artifacts:read",
  }),
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/artifacts",
  request: { params: workspaceParams, query: artifactListQuery },
  responses: {
    200: success(artifactPageSchema, "A page of artifacts"),
    ...failures(400, 401, 404, 429, 500, 501),
  },
});

export const accountListArtifacts = defineRoute(route, async (c) => {
  const { limit, before } = c.req.valid("query");
  const { db } = requireCapability(c, "accounts");
  const { workspaceId } = await requireMembership(c, c.req.valid("param").workspaceId, "artifacts:read");
  const beforeMs = before === undefined ? null : Date.parse(before);
  const page = await listArtifacts({ db, nowMs: c.var.nowMs }, workspaceId, beforeMs, limit);
  return succeed(c, 200, presentArtifactPage(page));
});
