import { jobSchema } from "#api/schemas/job.ts";
import { presentJob } from "#domains/jobs/present-job.ts";
import { apiKey } from "#interface/http/access.ts";
import { BOOKMARK_HEADER } from "#interface/http/bookmark.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { shownEffect } from "#interface/http/idempotency-header.ts";
import { callerOf, cancelDeps } from "#interface/http/operation-deps.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { cancelPack } from "#operations/cancel-pack.ts";

export const cancelJobRoute = defineRoute({
  operationId: "cancelJob",
  method: "post",
  path: "/api/v1/jobs/{jobId}/cancel",
  summary: "Cancel a queued job",
  description:
    "Gives the whole cost back. A job that has ended is returned as it is; a running one cannot be cancelled.",
  access: apiKey("jobs:write"),
  window: "jobs",
  errors: ["JOB_NOT_FOUND", "JOB_RUNNING"],
  responses: { 200: success(jobSchema, "The cancelled job, or the ended one as it is", BOOKMARK_HEADER) },
  handler: async (c) => {
    const canceled = await cancelPack(cancelDeps(c), callerOf(c), c.req.valid("param").jobId);
    return succeed(c, 200, presentJob(shownEffect(c, acceptedValue(canceled)).value));
  },
});
