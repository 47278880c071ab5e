import { LIMITS } from "#api/limits.ts";
import { jobSchema } from "#api/schemas/job.ts";
import { presentJob } from "#domains/jobs/present-job.ts";
import { getJob } from "#domains/jobs/read-jobs.ts";
import { apiKey } from "#interface/http/access.ts";
import { readNearby } from "#interface/http/bookmark.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { storageOf } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";

export const getJobRoute = defineRoute({
  operationId: "getJob",
  method: "get",
  path: "/api/v1/jobs/{jobId}",
  tag: "Jobs",
  summary: "Read a job",
  description:
    "Poll until the status is `succeeded`, `failed` or `canceled`, each time after the seconds of `Retry-After`. Go on " +
    "to the artifact only when the status is `succeeded` and `artifactId` is not null.",
  access: apiKey("jobs:read"),
  window: "read",
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
