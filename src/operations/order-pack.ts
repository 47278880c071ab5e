import type { Outcome } from "#api/errors.ts";
import type { CreateJobRequest } from "#api/schemas/job.ts";
import type { OpenStorage } from "#domains/artifacts/read-archive.ts";
import { findNotifyRefusal } from "#domains/deliveries/webhook/notify-destination.ts";
import type { IdempotencyClaim } from "#domains/idempotency/claim.ts";
import type { RecordAndFacts } from "#domains/idempotency/store.ts";
import { type IdempotentResult, withIdempotency } from "#domains/idempotency/with-idempotency.ts";
import { type CreateJobDeps, createJob, createJobFromCache } from "#domains/jobs/create-job.ts";
import type { PreconditionCache } from "#domains/jobs/precondition-cache.ts";
import { getJob } from "#domains/jobs/read-jobs.ts";
import type { Job } from "#domains/jobs/store.ts";
import { findScopeRefusal } from "#domains/keys/principal.ts";
import { latest } from "#platform/db/reader.ts";
import type { Caller } from "./caller.ts";
import { type OrderFacts, type OrderRules, orderReads, readOrder } from "./order-facts.ts";

const OPERATION = "POST /api/v1/jobs";

export interface OrderDeps extends Omit<CreateJobDeps, "writes" | "livemode"> {
  readonly openStorage: OpenStorage;
  readonly preconditionCache: PreconditionCache;
  readonly rules: OrderRules;
}

export interface Order {
  readonly request: CreateJobRequest;
  readonly idempotencyKey: string;
  /** What was read in one trip with the caller's key; null where that was remembered. */
  readonly readWithKey: RecordAndFacts<OrderFacts> | null;
}

/**
 * Creates the job of a request once for its Idempotency-Key, or shows the one that an equal request created. Refuses as
 * `createJob`, with 409 for a key that was used otherwise, and with 403 for an API key that may not name a destination.
 */
export async function orderPack(
  deps: OrderDeps,
  caller: Caller,
  { request, idempotencyKey, readWithKey }: Order,
): Promise<Outcome<IdempotentResult<Job>>> {
  const { db, rules, preconditionCache: cache } = deps;
  const { workspaceId, livemode, nowMs } = caller;
  const { assetIds, notify } = request;
  if (notify !== undefined) {
    const refusal = findScopeRefusal(caller, "deliveries:write", "the body names a destination");
    if (refusal !== null) return refusal;
  }
  const writes = latest(db);
  const jobDeps: CreateJobDeps = { ...deps, writes, livemode };
  // An Idempotency-Key of the other mode is a conflict, never a replay.
  const identity = { operation: livemode ? OPERATION : `${OPERATION} (test)`, idempotencyKey };
  return withIdempotency(
    db,
    { caller, identity, body: request },
    {
      locks: null,
      writes,
      // Not of a test job, nor where a destination, a brand or a version is to be looked at, too, nor where all has been read already.
      ...(livemode &&
        notify === undefined &&
        request.brandId === undefined &&
        request.versionOf === undefined &&
        readWithKey === null && {
          fastPath: (claim) => createOnCachedPreconditions(cache, jobDeps, claim, request),
        }),
      read: async () =>
        readWithKey ?? readOrder(db, orderReads({ idempotencyKey, assetIds, notify }, rules, nowMs), caller),
      execute: async (claim, { preconditions, destination }) => {
        const refusal = notify === undefined ? null : findNotifyRefusal(destination);
        if (refusal !== null) return refusal;
        const created = await createJob(jobDeps, claim, request, preconditions);
        if (created.ok && livemode) cache.keep(workspaceId, assetIds, preconditions, nowMs);
        return created;
      },
      replay: (jobId) => getJob(db, deps.openStorage, { workspaceId, jobId, livemode }),
    },
  );
}

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
