import { LIMITS } from "#api/limits.ts";
import { jobListQuery, jobPageSchema, jobSchema } from "#api/schemas/job.ts";
import { presentJob, presentJobPage } from "#domains/jobs/present-job.ts";
import { getJob, listJobs } from "#domains/jobs/read-jobs.ts";
import { apiKey } from "#interface/http/access.ts";
import { readNearby } from "#interface/http/bookmark.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { storageOf } from "#interface/http/require-capability.ts";
import { defineRoute, defineTwins, success } from "#interface/http/route.ts";

export const getJobRoute = defineRoute({
  operationId: "getJob",
  method: "get",
  path: "/api/v1/jobs/{jobId}",
  summary: "Read a job",
  description:
    "Poll until the status is `succeeded`, `failed` or `canceled`, each time after the seconds of `Retry-After`. Go on " +
    "to the artifact only when the status is `succeeded` and `artifactId` is not null.",
  access: apiKey("jobs:read"),
  errors: ["JOB_NOT_FOUND"],
  isNearbyRead: true,
  responses: {
    200: success(jobSchema, "The job", {
      "Retry-After": {
        description: "Seconds until the next poll makes sense; absent once the job has ended.",
        schema: { type: "integer", minimum: 1 },
      },
    }),
  },
  handler: async (c) => {
    const { jobId } = c.req.valid("param");
    const { workspaceId } = c.get("workspace");
    const found = await readNearby(c, {
      unmarked: "any",
      read: (reader) => getJob(reader, storageOf(c), workspaceId, jobId),
      isMissing: ({ ok }) => !ok,
    });
    const job = acceptedValue(found);
    if (job.status === "queued" || job.status === "running") {
      c.header("Retry-After", String(LIMITS.jobPollAfterSeconds));
    }
    return succeed(c, 200, presentJob(job));
  },
});

export const [listJobsRoute, listWorkspaceJobsRoute] = defineTwins({
  scope: "jobs:read",
  method: "get",
  query: jobListQuery,
  responses: { 200: success(jobPageSchema, "A page of jobs") },
  forKey: {
    operationId: "listJobs",
    path: "/api/v1/jobs",
    summary: "List jobs",
    description:
      "The workspace's jobs, newest first, without their `overrides`: those of one job are shown with it.",
    isNearbyRead: true,
  },
  forMember: {
    operationId: "listWorkspaceJobs",
    path: "/api/account/workspaces/{workspaceId}/jobs",
    summary: "List a workspace's jobs",
    description: "Newest first, without their `overrides`.",
  },
  handler: async (c) => {
    const { limit, before, status, renderFingerprint, versionOf } = c.req.valid("query");
    const filter = {
      status: status ?? null,
      beforeMs: before === undefined ? null : Date.parse(before),
      renderFingerprint: renderFingerprint ?? null,
      versionOf: versionOf ?? null,
    };
    const { workspaceId } = c.get("workspace");
    const page = await readNearby(c, {
      unmarked: "latest",
      read: (reader) => listJobs(reader, storageOf(c), workspaceId, filter, limit, c.get("nowMs")),
    });
    return succeed(c, 200, presentJobPage(page));
  },
});
