import { LIMITS } from "#api/limits.ts";
import { jobListQuery, jobPageSchema, jobSchema, updateJobSchema } from "#api/schemas/job.ts";
import { hasJobEnded } from "#domains/jobs/job.ts";
import { renameJob } from "#domains/jobs/named-packs.ts";
import { presentJob, presentJobPage } from "#domains/jobs/present-job.ts";
import { getJob, listJobs } from "#domains/jobs/read-jobs.ts";
import { apiKey } from "#interface/http/access.ts";
import { BOOKMARK_HEADER, readNearby } from "#interface/http/bookmark.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { shownEffect } from "#interface/http/idempotency-header.ts";
import { callerOf, cancelDeps } from "#interface/http/operation-deps.ts";
import { showJob } from "#interface/http/prefer-wait.ts";
import { storageOf } from "#interface/http/require-capability.ts";
import { defineRoute, defineTwins, success } from "#interface/http/route.ts";
import { cancelPack } from "#operations/cancel-pack.ts";
import { createJobRoute } from "./create-job.ts";
import { quoteJobRoute } from "./quote-job.ts";

const getJobRoute = defineRoute({
  operationId: "getJob",
  route: "GET /api/v1/jobs/{jobId}",
  summary: "Read a job",
  description:
    "Poll until the status is `succeeded`, `failed` or `canceled`, after `Retry-After` seconds each time. Read the " +
    "artifact only if the status is `succeeded`.",
  access: apiKey("jobs:read"),
  errors: ["JOB_NOT_FOUND"],
  isNearbyRead: true,
  takesPreferredWait: true,
  responses: {
    200: success(jobSchema, "The job", {
      "Retry-After": {
        description: "Seconds until the next poll; absent once the job has ended.",
        schema: { type: "integer", minimum: 1 },
      },
    }),
  },
  handler: async (c, { workspaceId, livemode, param: { jobId } }) => {
    const found = await readNearby(c, {
      unmarked: "any",
      read: (reader) => getJob(reader, storageOf(c), { workspaceId, jobId, livemode }),
      isMissing: ({ ok }) => !ok,
    });
    const job = acceptedValue(found);
    const shown = await showJob(c, job);
    if (!hasJobEnded(shown)) c.header("Retry-After", String(LIMITS.jobPollAfterSeconds));
    return succeed(c, 200, shown);
  },
});

const [listJobsRoute, listWorkspaceJobsRoute] = defineTwins({
  scope: "jobs:read",
  query: jobListQuery,
  responses: { 200: success(jobPageSchema, "A page of jobs") },
  forKey: {
    operationId: "listJobs",
    route: "GET /api/v1/jobs",
    summary: "List jobs",
    description:
      "Jobs of the workspace, newest first, without their `overrides`, which only a single job includes.",
    isNearbyRead: true,
  },
  forMember: {
    operationId: "listWorkspaceJobs",
    route: "GET /api/account/workspaces/{workspaceId}/jobs",
    summary: "List a workspace's jobs",
    description: "Newest first, without their `overrides`.",
  },
  handler: async (
    c,
    { workspaceId, livemode, query: { limit, before, status, renderFingerprint, versionOf } },
  ) => {
    const filter = {
      livemode,
      status: status ?? null,
      beforeMs: before === undefined ? null : Date.parse(before),
      renderFingerprint: renderFingerprint ?? null,
      versionOf: versionOf ?? null,
    };
    const page = await readNearby(c, {
      unmarked: "latest",
      read: (reader) => listJobs(reader, storageOf(c), workspaceId, filter, limit, c.get("nowMs")),
    });
    return succeed(c, 200, presentJobPage(page));
  },
});

const updateJobRoute = defineRoute({
  operationId: "updateJob",
  route: "PATCH /api/v1/jobs/{jobId}",
  summary: "Rename a job",
  description:
    "Changes the name of the job and of its pack, in any status. Files and fingerprint stay the same.",
  access: apiKey("jobs:write"),
  errors: ["JOB_NOT_FOUND"],
  json: updateJobSchema,
  responses: { 200: success(jobSchema, "The renamed job") },
  handler: async (c, { db, workspaceId, livemode, param, json }) => {
    const id = { workspaceId, jobId: param.jobId, livemode };
    const renamed = await renameJob(db, storageOf(c), id, json.name);
    return succeed(c, 200, presentJob(acceptedValue(renamed)));
  },
});

const cancelJobRoute = defineRoute({
  operationId: "cancelJob",
  route: "POST /api/v1/jobs/{jobId}/cancel",
  summary: "Cancel a queued job",
  description:
    "Refunds the whole cost. A job that has ended is returned unchanged; a running job cannot be canceled.",
  access: apiKey("jobs:write"),
  window: "jobs",
  errors: ["JOB_NOT_FOUND", "JOB_RUNNING"],
  responses: {
    200: success(jobSchema, "The canceled job, or a job that had already ended", BOOKMARK_HEADER),
  },
  handler: async (c, { param }) => {
    const canceled = await cancelPack(cancelDeps(c), callerOf(c), param.jobId);
    return succeed(c, 200, presentJob(shownEffect(c, acceptedValue(canceled)).value));
  },
});

export const routes = [
  listJobsRoute,
  createJobRoute,
  quoteJobRoute,
  getJobRoute,
  updateJobRoute,
  cancelJobRoute,
];
export { listWorkspaceJobsRoute };
