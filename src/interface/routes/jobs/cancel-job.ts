import type { Context } from "hono";
import { accept, type Outcome } from "#api/errors.ts";
import { jobSchema } from "#api/schemas/job.ts";
import { enqueueDeliveries } from "#domains/deliveries/dispatch-deliveries.ts";
import { restoreJob } from "#domains/jobs/archived-jobs.ts";
import { cancelJob } from "#domains/jobs/end-job.ts";
import { presentJob } from "#domains/jobs/present-job.ts";
import type { Job } from "#domains/jobs/store.ts";
import { apiKey } from "#interface/http/access.ts";
import { BOOKMARK_HEADER, bookmarkedDatabase } from "#interface/http/bookmark.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { storageOf } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { noteWritten } from "#platform/log/origin-of-work.ts";

/** Cancels a job that is still queued, as `cancelJob` has it, and enqueues the messages about its end. */
export async function cancelQueuedPack(c: Context<AppEnv>, jobId: string): Promise<Outcome<Job>> {
  const { db: primary, workspaceId } = c.get("workspace");
  const { db, showWritten } = bookmarkedDatabase(primary);
  const canceled = await cancelJob(db, workspaceId, jobId, c.var.nowMs);
  if (!canceled.ok) return canceled;
  const { deliveries } = c.var.capabilities;
  noteWritten(jobId);
  if (deliveries !== null) c.executionCtx.waitUntil(enqueueDeliveries(deliveries.queue, primary));
  showWritten(c);
  return accept(await restoreJob(storageOf(c), canceled.value));
}

export const cancelJobRoute = defineRoute({
  operationId: "cancelJob",
  method: "post",
  path: "/api/v1/jobs/{jobId}/cancel",
  tag: "Jobs",
  summary: "Cancel a queued job",
  description:
    "Gives the whole cost back. A job that has ended is returned as it is; a running one cannot be cancelled.",
  access: apiKey("jobs:write"),
  window: "jobs",
  errors: ["JOB_NOT_FOUND", "JOB_RUNNING"],
  responses: { 200: success(jobSchema, "The cancelled job, or the ended one as it is", BOOKMARK_HEADER) },
  handler: async (c) => {
    const job = acceptedValue(await cancelQueuedPack(c, c.req.valid("param").jobId));
    return succeed(c, 200, presentJob(job));
  },
});
