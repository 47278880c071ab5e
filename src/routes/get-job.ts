import { createRoute } from "@hono/zod-openapi";
import { LIMITS } from "../contract/limits.ts";
import { jobParams, jobSchema } from "../contract/schemas/job.ts";
import { bookmarkHeaders, readNearby, withBookmark } from "../http/bookmark.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { presentJob } from "../jobs/present-job.ts";
import { getJob as readJob } from "../jobs/service.ts";

const shown = withBookmark(success(jobSchema, "The job"));

const route = createRoute({
  ...operation({
    operationId: "getJob",
    summary: "Read a job",
    description:
      "Poll until the status is `succeeded`, `failed` or `canceled`, each time after the seconds of `Retry-After`. Go on " +
      "to the artifact only when the status is `succeeded` and `artifactId` is not null.",
    tag: "Jobs",
    scope: "jobs:read",
    family: "read",
    needs: ["database"],
  }),
  method: "get",
  path: "/api/v1/jobs/{jobId}",
  request: { headers: bookmarkHeaders, params: jobParams },
  responses: {
    200: {
      ...shown,
      headers: {
        ...shown.headers,
        "Retry-After": {
          description: "Seconds until the next poll makes sense; absent once the job has ended.",
          schema: { type: "integer", minimum: 1 },
        },
      },
    },
    ...failures(400, 401, 403, 404, 429, 500, 501),
  },
});

export const getJob = defineRoute(route, async (c) => {
  const { jobId } = c.req.valid("param");
  const found = await readNearby(c, {
    unmarked: "any",
    read: (reader) => readJob(reader, c.get("principal").workspaceId, jobId),
    isMissing: ({ ok }) => !ok,
  });
  const job = acceptedValue(found);
  if (job.status === "queued" || job.status === "running") {
    c.header("Retry-After", String(LIMITS.jobPollAfterSeconds));
  }
  return succeed(c, 200, presentJob(job));
});
