import { jobListQuery, jobPageSchema } from "#api/schemas/job.ts";
import { presentJobPage } from "#domains/jobs/present-job.ts";
import { listJobs } from "#domains/jobs/read-jobs.ts";
import { readNearby } from "#interface/http/bookmark.ts";
import { succeed } from "#interface/http/envelope.ts";
import { storageOf } from "#interface/http/require-capability.ts";
import { defineTwins, success } from "#interface/http/route.ts";

export const [listJobsRoute, listWorkspaceJobsRoute] = defineTwins({
  scope: "jobs:read",
  window: "read",
  query: jobListQuery,
  responses: { 200: success(jobPageSchema, "A page of jobs") },
  forKey: {
    operationId: "listJobs",
    method: "get",
    path: "/api/v1/jobs",
    tag: "Jobs",
    summary: "List jobs",
    description:
      "The workspace's jobs, newest first, without their `overrides`: those of one job are shown with it.",
    isNearbyRead: true,
  },
  forMember: {
    operationId: "listWorkspaceJobs",
    method: "get",
    path: "/api/account/workspaces/{workspaceId}/jobs",
    tag: "Account",
    summary: "List a workspace's jobs",
    description: "Newest first, without their `overrides`.",
  },
  handler: async (c) => {
    const { limit, before, status, renderFingerprint } = c.req.valid("query");
    const filter = {
      status: status ?? null,
      beforeMs: before === undefined ? null : Date.parse(before),
      renderFingerprint: renderFingerprint ?? null,
    };
    const { workspaceId } = c.get("workspace");
    const page = await readNearby(c, {
      unmarked: "latest",
      read: (reader) => listJobs(reader, storageOf(c), workspaceId, filter, limit, c.get("nowMs")),
    });
    return succeed(c, 200, presentJobPage(page));
  },
});
