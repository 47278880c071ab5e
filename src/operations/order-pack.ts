import { accept, type Outcome } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { CreateJobBody, CreateJobRequest } from "#api/schemas/job.ts";
import type { OpenStorage } from "#domains/artifacts/read-archive.ts";
import { findNotifyRefusal } from "#domains/deliveries/webhook/notify-destination.ts";
import type { IdempotencyClaim } from "#domains/idempotency/claim.ts";
import type { RecordAndFacts } from "#domains/idempotency/store.ts";
import { type IdempotentResult, withIdempotency } from "#domains/idempotency/with-idempotency.ts";
import {
  type CreateJobDeps,
  createJob,
  createJobFromCache,
  findEarlyRefusal,
} from "#domains/jobs/create-job.ts";
import type { PreconditionCache } from "#domains/jobs/precondition-cache.ts";
import { getJob } from "#domains/jobs/read-jobs.ts";
import type { Job } from "#domains/jobs/store.ts";
import { findScopeRefusal } from "#domains/keys/principal.ts";
import { latest } from "#platform/db/reader.ts";
import type { Caller } from "./caller.ts";
import { type OrderFacts, type OrderRules, orderReads, readOrder } from "./order-facts.ts";
import {
  awaitImports,
  beginImports,
  begunOrder,
  type OrderImports,
  planImports,
  reusableAssets,
} from "./order-imports.ts";

const OPERATION = "POST /api/v1/jobs";

export interface OrderDeps extends Omit<CreateJobDeps, "writes" | "livemode"> {
  readonly openStorage: OpenStorage;
  readonly preconditionCache: PreconditionCache;
  readonly rules: OrderRules;
  /** Dependencies of orders with files by URL. */
  readonly imports: () => OrderImports;
}

export interface Order {
  readonly request: CreateJobBody;
  readonly idempotencyKey: string;
  /** The facts, if they were read in one round trip with the caller's key; null if the key was cached. */
  readonly readWithKey: RecordAndFacts<OrderFacts> | null;
}

/**
 * Creates a request's job once per Idempotency-Key; a repeated request returns the same job. Imports files by URL first
 * (`importFiles`). Returns the refusals of `createJob`, 409 for an Idempotency-Key that a different request used, and
 * 403 for an API key that may not name a destination or files by URL.
 */
export async function orderPack(
  deps: OrderDeps,
  caller: Caller,
  { request: body, idempotencyKey, readWithKey }: Order,
): Promise<Outcome<IdempotentResult<Job>>> {
  const { db, rules, preconditionCache: cache } = deps;
  const { workspaceId, livemode, nowMs } = caller;
  const { assets = {}, assetIds = {}, ...rest } = body;
  const request: CreateJobRequest = { ...rest, assetIds };
  const { notify } = request;
  const hasAddresses = Object.keys(assets).length > 0;
  if (notify !== undefined) {
    const refusal = findScopeRefusal(caller, "deliveries:write", "the body names a destination");
    if (refusal !== null) return refusal;
  }
  if (hasAddresses) {
    const refusal = findScopeRefusal(caller, "assets:write", "the body names files by address");
    if (refusal !== null) return refusal;
  }
  const writes = latest(db);
  const jobDeps: CreateJobDeps = { ...deps, writes, livemode };
  // An Idempotency-Key already used in the other mode (live or test) is a conflict, never a replay.
  const identity = { operation: livemode ? OPERATION : `${OPERATION} (test)`, idempotencyKey };
  return withIdempotency(
    db,
    { caller, identity, body },
    {
      locks: null,
      writes,
      // The cache is only for live jobs without destination, brand or earlier version. It is not needed if the facts
      // were read with the key.
      ...(livemode &&
        !hasAddresses &&
        notify === undefined &&
        request.brandId === undefined &&
        request.versionOf === undefined &&
        readWithKey === null && {
          fastPath: (claim) => createOnCachedPreconditions(cache, jobDeps, claim, request),
        }),
      read: async () =>
        readWithKey ?? readOrder(db, orderReads({ idempotencyKey, assetIds, notify }, rules, nowMs), caller),
      isBegun: (record) => begunOrder(record) !== null,
      execute: async (claim, facts) => {
        const ready = hasAddresses
          ? await importFiles(deps, caller, { claim, facts, assets, request })
          : await allowKeyReuse(db, { claim, facts, request });
        if (!ready.ok) return ready;
        const { preconditions, destination } = ready.value.facts;
        const refusal = notify === undefined ? null : findNotifyRefusal(destination);
        if (refusal !== null) return refusal;
        const created = await createJob(jobDeps, ready.value.claim, ready.value.request, preconditions);
        if (created.ok && livemode)
          cache.keep(workspaceId, ready.value.request.assetIds, preconditions, nowMs);
        return created;
      },
      replay: (jobId) => getJob(db, deps.openStorage, { workspaceId, jobId, livemode }),
    },
  );
}

/** An order, with the facts that decide whether it is accepted. */
interface DecidableOrder {
  readonly claim: IdempotencyClaim;
  readonly facts: OrderFacts;
  readonly request: CreateJobRequest;
}

/** Allows reuse of an Idempotency-Key whose earlier order, with files by URL, was refused. */
async function allowKeyReuse(db: D1Database, order: DecidableOrder): Promise<Outcome<DecidableOrder>> {
  const { claim, facts } = order;
  const kept = await reusableAssets(db, claim, facts.begun);
  return kept.ok ? accept({ ...order, claim: { ...claim, begunAs: facts.begun?.resourceId } }) : kept;
}

/**
 * Imports an order's files by URL. Before that, runs all checks that do not need the files. 409
 * ASSET_IMPORT_IN_PROGRESS if the imports take longer than the request waits; an identical request continues them. 422
 * ASSET_IMPORT_FAILED if a file is refused.
 */
async function importFiles(
  deps: OrderDeps,
  caller: Caller,
  {
    claim,
    facts,
    assets,
    request,
  }: DecidableOrder & { readonly assets: NonNullable<CreateJobBody["assets"]> },
): Promise<Outcome<DecidableOrder>> {
  const { db } = deps;
  const { nowMs } = caller;
  const imports = deps.imports();
  const kept = await reusableAssets(db, claim, facts.begun);
  if (!kept.ok) return kept;
  const withAssets = (ids: Readonly<Record<string, string>>): CreateJobRequest => ({
    ...request,
    assetIds: { ...request.assetIds, ...ids },
  });
  const slots = Object.keys(assets);
  let begun = facts.begun;
  if (begun === null || slots.some((slotId) => kept.value[slotId] === undefined)) {
    const refusal = request.notify === undefined ? null : findNotifyRefusal(facts.destination);
    if (refusal !== null) return refusal;
    const asked = withAssets(Object.fromEntries(slots.map((slotId) => [slotId, slotId])));
    const early = await findEarlyRefusal(
      { ...deps, livemode: caller.livemode },
      claim,
      asked,
      facts.preconditions,
      slots,
    );
    if (early !== null) return early;
    const planned = planImports(assets, kept.value, imports);
    if (!planned.ok) return planned;
    const beginning = { ...claim, begunAs: begun?.resourceId };
    const workspace = { db, kind: caller.workspaceKind };
    const started = await beginImports(workspace, imports, beginning, kept.value, planned.value);
    if (!started.ok) return started;
    begun = started.value;
  }
  const deadlineMs = nowMs + LIMITS.orderImportsWaitMsMax;
  const refusal = await awaitImports(db, imports, claim, begun, deadlineMs);
  if (refusal !== null) return refusal;
  const ready = withAssets(begun.assetIds);
  const { idempotencyKey } = claim;
  const reads = orderReads({ ...ready, idempotencyKey }, deps.rules, nowMs);
  const { facts: now } = await readOrder(db, reads, caller);
  return accept({ claim: { ...claim, begunAs: begun.resourceId }, facts: now, request: ready });
}

/** Creates the job from cached preconditions; drops them from the cache if they turn out stale. */
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
