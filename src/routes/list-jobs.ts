import { createRoute } from "@hono/zod-openapi";
import { jobListQuery, jobPageSchema } from "../contract/schemas/job.ts";
import { bookmarkHeaders, readNearby, withBookmark } from "../http/bookmark.ts";
import { succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { presentJobPage } from "../jobs/present-job.ts";
import { listJobs as readJobs } from "../jobs/service.ts";

const route = createRoute({
  ...operation({
    operationId: "listJobs",
    summary: "List jobs",
    description: "The workspace's jobs, newest first.",
    tag: "Jobs",
    scope: "jobs:read",
    family: "read",
    needs: ["database"],
  }),
  method: "get",
  path: "/api/v1/jobs",
  request: { headers: bookmarkHeaders, query: jobListQuery },
  responses: {
    200: withBookmark(success(jobPageSchema, "A page of jobs")),
    ...failures(400, 401, 403, 429, 500, 501),
  },
});

export const listJobs = defineRoute(route, async (c) => {
  const { limit, before, status, renderFingerprint } = c.req.valid("query");
  const filter = {
    status: status ?? null,
    beforeMs: before === undefined ? null : Date.parse(before),
    renderFingerprint: renderFingerprint ?? null,
  };
  const page = await readNearby(c, {
    unmarked: "latest",
    read: (reader) => readJobs(reader, c.var.principal.workspaceId, filter, limit, c.var.nowMs),
  });
  return succeed(c, 200, presentJobPage(page));
});
