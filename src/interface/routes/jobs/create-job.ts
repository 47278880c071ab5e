import type { Context } from "hono";
import type { Outcome } from "#api/errors.ts";
import { JOB_WINDOWS, LIMITS } from "#api/limits.ts";
import { type CreateJobRequest, createJobSchema, jobSchema, namedInOrderSchema } from "#api/schemas/job.ts";
import {
  findNotifyRefusal,
  notifiedDestination,
  notifiedDestinationOfSecret,
} from "#domains/deliveries/webhook/notify-destination.ts";
import type { IdempotencyClaim } from "#domains/idempotency/claim.ts";
import { recordOfSecret } from "#domains/idempotency/store.ts";
import { type CreateJobDeps, createJob, createJobFromCache } from "#domains/jobs/create-job.ts";
import {
  createPreconditionCache,
  type PreconditionCache,
  preconditionStatements,
  preconditionsOfSecret,
  toPreconditions,
} from "#domains/jobs/preconditions.ts";
import { presentJob } from "#domains/jobs/present-job.ts";
import { getJob } from "#domains/jobs/read-jobs.ts";
import type { Job } from "#domains/jobs/store.ts";
import { apiKey } from "#interface/http/access.ts";
import { type ReadBeside, requireScope } from "#interface/http/authenticate.ts";
import { BOOKMARK_HEADER, bookmarkedDatabase } from "#interface/http/bookmark.ts";
import type { AppEnv } from "#interface/http/context.ts";
import { outliveClient } from "#interface/http/continue-after-disconnect.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { type IdempotentResult, type RequestIdentity, withIdempotency } from "#interface/http/idempotency.ts";
import { limitOf } from "#interface/http/rate-limit.ts";
import { requireCapability, storageOf } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { enqueueJob } from "#interface/queue/enqueue-jobs.ts";
import { oncePer } from "#platform/concurrency/once-per-object.ts";
import { copyChecks } from "#platform/render-engine.ts";

const preconditionCacheOf = oncePer((_: D1Database) => createPreconditionCache());

/** Creates the job on cached preconditions; drops them from the cache where they no longer hold. */
async function createOnCachedPreconditions(
  cache: PreconditionCache,
  deps: CreateJobDeps,
  claim: IdempotencyClaim,
  request: CreateJobRequest,
): Promise<Job | null> {
  const preconditions = cache.find(claim.workspaceId, request.assetIds, claim.nowMs);
  if (preconditions === null) return null;
  try {
    return await createJobFromCache(deps, claim, request, preconditions);
  } catch (thrown) {
    cache.drop(claim.workspaceId, request.assetIds);
    throw thrown;
  }
}

const windowLimitsOf = (c: Context<AppEnv>) => ({
  "failed-jobs": limitOf(c.env, "failed-jobs"),
  "canceled-jobs": limitOf(c.env, "canceled-jobs"),
});

/** What a body names, which nobody has validated yet; null where it does not name it as it should. */
function namedInOrder(text: string): Pick<CreateJobRequest, "assetIds" | "notify"> | null {
  try {
    return namedInOrderSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What an order is decided on, after the record of its Idempotency-Key, as `withIdempotency` takes both. */
const readBeside: ReadBeside = (c, scope) => async (session, hashes) => {
  const idempotencyKey = c.req.header("Idempotency-Key");
  const named = namedInOrder(await c.req.text());
  if (idempotencyKey === undefined || named === null) return null;
  const { assetIds, notify } = named;
  const secret = { ...hashes, scope, nowMs: c.get("nowMs") };
  return [
    recordOfSecret.bind(session, { ...secret, idempotencyKey }),
    ...preconditionsOfSecret(session, secret, assetIds, windowLimitsOf(c)),
    ...(notify === undefined ? [] : [notifiedDestinationOfSecret.bind(session, { ...secret, ...notify })]),
  ];
};

/** Where an order comes from, if not from `POST /jobs` alone. */
interface OrderSource {
  readonly identity?: RequestIdentity | undefined;
  /** What `readBeside` has read. */
  readonly readBesideKey?: readonly D1Result[] | null;
}

/**
 * Creates the job of a request once for its Idempotency-Key, or shows the one that an equal request created. Refuses as
 * `createJob`, and with 409 for a key that was used otherwise.
 */
export async function orderPack(
  c: Context<AppEnv>,
  request: CreateJobRequest,
  { identity, readBesideKey = null }: OrderSource = {},
): Promise<Outcome<IdempotentResult<Job>>> {
  const { notify } = request;
  if (notify !== undefined) {
    requireScope(c.get("principal"), "deliveries:write", "the body names a destination");
  }
  const { db: primary, workspaceId } = c.get("workspace");
  const { db, showWritten } = bookmarkedDatabase(primary);
  const bucket = requireCapability(c, "storage");
  const queue = requireCapability(c, "queue");
  const cache = preconditionCacheOf(primary);
  const windowLimits = windowLimitsOf(c);
  const needsConfirmedOwner = c.var.capabilities.mail !== null;
  const deps: CreateJobDeps = {
    db,
    bucket,
    ...copyChecks(),
    queuedMessagesMax: requireCapability(c, "database").queuedMessagesMax,
    enqueue: (created) => c.executionCtx.waitUntil(enqueueJob(queue, primary, created, c.get("requestId"))),
  };
  const ordered = await outliveClient(
    c,
    withIdempotency(c, {
      identity,
      body: request,
      isOneBatch: true,
      // Not where a destination is to be looked at, too.
      ...(notify === undefined && {
        fastPath: (claim: IdempotencyClaim) => createOnCachedPreconditions(cache, deps, claim, request),
      }),
      readBeside: readBesideKey,
      reads: (session) => [
        ...preconditionStatements(
          session,
          c.get("principal"),
          request.assetIds,
          windowLimits,
          c.get("nowMs"),
        ),
        ...(notify === undefined ? [] : [notifiedDestination.bind(session, { workspaceId, ...notify })]),
      ],
      execute: async (claim, read) => {
        const refusal = notify && findNotifyRefusal(read.at(-1));
        if (refusal) return refusal;
        const preconditions = toPreconditions(read, windowLimits, needsConfirmedOwner, claim.nowMs);
        const created = await createJob(deps, claim, request, preconditions);
        if (created.ok) cache.keep(workspaceId, request.assetIds, preconditions, claim.nowMs);
        return created;
      },
      replay: (jobId) => getJob(db, storageOf(c), workspaceId, jobId),
    }),
  );
  if (ordered.ok && !ordered.value.isReplay) showWritten(c);
  return ordered;
}

export const createJobRoute = defineRoute({
  operationId: "createJob",
  method: "post",
  path: "/api/v1/jobs",
  tag: "Jobs",
  summary: "Create a paid job",
  description:
    "Draws the contract's selected sizes from ready assets. The cost is reserved once, when the job is accepted, " +
    "and given back in full when the job fails or is cancelled. A replay returns the same job as it is now. " +
    `A workspace of which ${JOB_WINDOWS["failed-jobs"].limit} jobs of the last hour failed by their inputs, or ` +
    `${JOB_WINDOWS["canceled-jobs"].limit} were cancelled, creates no more until the window opens: 429 with ` +
    "`details.family` `failed-jobs` or `canceled-jobs`. With `notify` a saved webhook is sent a message when the job " +
    "ends; that needs the scope `deliveries:write` too. Where this origin sends mail, a workspace's owner confirms their " +
    "address first: 403 `EMAIL_NOT_CONFIRMED`.",
  access: apiKey("jobs:write", { isCheckedInEffect: true, readBeside }),
  window: "jobs",
  needs: ["storage", "queue"],
  errors: [
    "PAYMENT_REQUIRED",
    "EMAIL_NOT_CONFIRMED",
    "BUDGET_EXHAUSTED",
    "ASSET_NOT_READY",
    "CONTRACT_UNSUPPORTED",
    "SIZE_UNSUPPORTED",
    "FORMAT_UNSUPPORTED",
    "LOOK_UNSUPPORTED",
    "SLOT_UNSUPPORTED",
    "SLOT_COMBINATION_UNSUPPORTED",
    "PLACEMENT_UNSUPPORTED",
    "OVERRIDE_UNSUPPORTED",
    "ASSET_UNKNOWN",
    "VISUAL_ASSET_REQUIRED",
    "COPY_UNSUPPORTED",
    "COPY_DOES_NOT_FIT",
    "DESTINATION_UNKNOWN",
    "DESTINATION_UNSUPPORTED",
    "DESTINATION_DISABLED",
    "DESTINATION_PAUSED",
    "SERVICE_BUSY",
  ],
  isIdempotent: true,
  json: createJobSchema,
  responses: {
    202: success(jobSchema, "The queued job; its cost is reserved", {
      ...BOOKMARK_HEADER,
      Location: { description: "Path of the job.", schema: { type: "string" } },
      "Retry-After": {
        description: "Seconds until a poll makes sense.",
        schema: { type: "integer", minimum: 1 },
      },
    }),
    200: success(jobSchema, "The job an earlier request with this key created, as it is now"),
  },
  handler: async (c) => {
    const { value: job, isReplay } = acceptedValue(
      await orderPack(c, c.req.valid("json"), { readBesideKey: c.get("readBesideKey") }),
    );
    if (isReplay) return succeed(c, 200, presentJob(job));
    c.header("Location", `/api/v1/jobs/${job.jobId}`);
    c.header("Retry-After", String(LIMITS.jobPollAfterSeconds));
    return succeed(c, 202, presentJob(job));
  },
});
