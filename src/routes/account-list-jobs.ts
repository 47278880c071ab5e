import { createRoute } from "@hono/zod-openapi";
import { jobListQuery, jobPageSchema } from "../contract/schemas/job.ts";
import { workspaceParams } from "../contract/schemas/workspace.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { requireMembership } from "../http/session-access.ts";
import { sessionOperation } from "../http/session-operation.ts";
import { presentJobPage } from "../jobs/present-job.ts";
import { listJobs } from "../jobs/service.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "listWorkspaceJobs",
    summary: "List a workspace's jobs",
    description: "Newest first.",
    family: "read",
    needs: [],
    scope: "jobs:read",
  }),
  method: "get",
  path: "/api/account/workspaces/{workspaceId}/jobs",
  request: { params: workspaceParams, query: jobListQuery },
  responses: { 200: success(jobPageSchema, "A page of jobs"), ...failures(400, 401, 404, 429, 500, 501) },
});

export const accountListJobs = defineRoute(route, async (c) => {
  const { limit, before, status, renderFingerprint } = c.req.valid("query");
  const { db } = requireCapability(c, "accounts");
  const { workspaceId } = await requireMembership(c, c.req.valid("param").workspaceId, "jobs:read");
  const filter = {
    status: status ?? null,
    beforeMs: before === undefined ? null : Date.parse(before),
    renderFingerprint: renderFingerprint ?? null,
  };
  return succeed(c, 200, presentJobPage(await listJobs(db, workspaceId, filter, limit, c.var.nowMs)));
});
