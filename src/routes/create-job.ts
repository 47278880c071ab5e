import { createRoute } from "@hono/zod-openapi";
import { JOB_WINDOWS, LIMITS } from "../contract/limits.ts";
import { jobSchema, type PackRequest, packRequestSchema } from "../contract/schemas/job.ts";
import { bookmarkedDatabase, withBookmark } from "../http/bookmark.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { idempotencyHeaders, once } from "../http/idempotency.ts";
import { defineRoute, failures, operation, success } from "../http/operation.ts";
import { outliveClient } from "../http/outlive-client.ts";
import { limitOf } from "../http/rate-limit.ts";
import { requireCapability } from "../http/require-capability.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { type CreateJobDeps, createJobAsRemembered, createJob as createPaidJob } from "../jobs/create-job.ts";
import type { Job } from "../jobs/job.ts";
import { jobBasisStatements, toJobBasis } from "../jobs/job-basis.ts";
import { presentJob } from "../jobs/present-job.ts";
import { createRecentBases, type RecentBases } from "../jobs/recent-basis.ts";
import { getJob } from "../jobs/service.ts";
import { withLargeMemorySoon } from "../platform/memory.ts";
import { getRenderer } from "../platform/render-engine.ts";
import { announceJob } from "../queue/announce-jobs.ts";

const accepted = withBookmark(success(jobSchema, "The queued job; its cost is reserved"));

const route = createRoute({
  ...operation({
    operationId: "createJob",
    summary: "Create a paid job",
    description:
      "Draws the contract's selected sizes from ready assets. The cost is reserved once, when the job is accepted, " +
      "and given back in full when the job fails or is cancelled. A replay returns the same job as it is now. " +
      `A workspace of which ${JOB_WINDOWS["failed-jobs"].limit} jobs of the last hour failed by their inputs, or ` +
      `${JOB_WINDOWS["canceled-jobs"].limit} were cancelled, creates no more until the window opens: 429 with ` +
      "`details.family` `failed-jobs` or `canceled-jobs`.",
    tag: "Jobs",
    scope: "jobs:write",
    family: "jobs",
    needs: ["database", "storage", "queue"],
    takesJson: true,
    isKeyCheckedInEffect: true,
  }),
  method: "post",
  path: "/api/v1/jobs",
  request: {
    headers: idempotencyHeaders,
    body: { required: true, content: { "application/json": { schema: packRequestSchema } } },
  },
  responses: {
    202: {
      ...accepted,
      headers: {
        ...accepted.headers,
        Location: { description: "Path of the job.", schema: { type: "string" } },
        "Retry-After": {
          description: "Seconds until a poll makes sense.",
          schema: { type: "integer", minimum: 1 },
        },
      },
    },
    200: success(jobSchema, "The job an earlier request with this key created, as it is now"),
    ...failures(400, 401, 402, 403, 409, 415, 422, 429, 500, 501),
  },
});

const recentBasesByOrigin = new WeakMap<D1Database, RecentBases>();

function recentBasesOf(db: D1Database): RecentBases {
  const known = recentBasesByOrigin.get(db);
  if (known !== undefined) return known;
  const made = createRecentBases();
  recentBasesByOrigin.set(db, made);
  return made;
}

/** Creates the job on what is remembered, and forgets that where it did not do. */
async function attemptJob(
  recentBases: RecentBases,
  deps: CreateJobDeps,
  claim: IdempotencyClaim,
  request: PackRequest,
): Promise<Job | null> {
  const basis = recentBases.find(claim.workspaceId, request.assetIds, claim.nowMs);
  if (basis === null) return null;
  try {
    return await createJobAsRemembered(deps, claim, request, basis);
  } catch (thrown) {
    recentBases.forget(claim.workspaceId, request.assetIds);
    throw thrown;
  }
}

export const createJob = defineRoute(route, async (c) => {
  const request = c.req.valid("json");
  const { db: primary } = requireCapability(c, "database");
  const { db, showWritten } = bookmarkedDatabase(primary);
  const bucket = requireCapability(c, "storage");
  const queue = requireCapability(c, "queue");
  const { workspaceId } = c.get("principal");
  const recentBases = recentBasesOf(primary);
  const windowLimits = {
    "failed-jobs": limitOf(c.env, "failed-jobs"),
    "canceled-jobs": limitOf(c.env, "canceled-jobs"),
  };
  const deps: CreateJobDeps = {
    db,
    bucket,
    characters: getRenderer(),
    withMemory: withLargeMemorySoon,
    announce: (created) => c.executionCtx.waitUntil(announceJob(queue, primary, created)),
  };
  const { value: job, isReplay } = acceptedValue(
    await outliveClient(
      c,
      once(c, {
        idempotencyKey: c.req.valid("header")["idempotency-key"],
        body: request,
        isOneBatch: true,
        attempt: (claim) => attemptJob(recentBases, deps, claim, request),
        reads: (session) =>
          jobBasisStatements(session, workspaceId, request.assetIds, windowLimits, c.get("nowMs")),
        perform: async (claim, read) => {
          const basis = toJobBasis(read, windowLimits, claim.nowMs);
          const created = await createPaidJob(deps, claim, request, basis);
          if (created.ok) recentBases.keep(workspaceId, request.assetIds, basis, claim.nowMs);
          return created;
        },
        recall: (jobId) => getJob(db, workspaceId, jobId),
      }),
    ),
  );
  if (isReplay) return succeed(c, 200, presentJob(job));
  showWritten(c);
  c.header("Location", `/api/v1/jobs/${job.jobId}`);
  c.header("Retry-After", String(LIMITS.jobPollAfterSeconds));
  return succeed(c, 202, presentJob(job));
});
