import { createRoute } from "@hono/zod-openapi";
import { jobParams, jobSchema } from "../contract/schemas/job.ts";
import { bookmarkedDatabase, withBookmark } from "../http/bookmark.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { requireCapability } from "../http/require-capability.ts";
import { cancelJob as cancelQueuedJob } from "../jobs/cancel-job.ts";
import { presentJob } from "../jobs/present-job.ts";
import { announceDeliveries } from "../queue/send-delivery-messages.ts";

const route = createRoute({
  ...operation({
    operationId: "cancelJob",
    summary: "Cancel a queued job",
    description:
      "Gives the whole cost back. A job that has ended is returned as it is; a running one cannot be cancelled.",
    tag: "Jobs",
    scope: "jobs:write",
    family: "jobs",
    needs: ["database"],
  }),
  method: "post",
  path: "/api/v1/jobs/{jobId}/cancel",
  request: { params: jobParams },
  responses: {
    200: withBookmark(success(jobSchema, "The cancelled job, or the ended one as it is")),
    ...failures(400, 401, 403, 404, 409, 429, 500, 501),
  },
});

export const cancelJob = defineRoute(route, async (c) => {
  const { jobId } = c.req.valid("param");
  const { db: primary } = requireCapability(c, "database");
  const { db, showWritten } = bookmarkedDatabase(primary);
  const job = acceptedValue(await cancelQueuedJob(db, c.var.principal.workspaceId, jobId, c.var.nowMs));
  const { deliveries } = c.var.capabilities;
  if (deliveries !== null) c.executionCtx.waitUntil(announceDeliveries(deliveries.queue, primary));
  showWritten(c);
  return succeed(c, 200, presentJob(job));
});
