import type { z } from "zod";
import { accept, type Outcome, type Refusal, refuse } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import type { CachedPreview, CreatePreviewRequest, previewSchema } from "#api/schemas/preview.ts";
import { clock } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { log } from "#platform/log/log.ts";
import type { Renderer } from "#renderer/index.ts";
import type { Asset } from "../assets/asset.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { findRecord, rememberStatements } from "../idempotency/store.ts";
import type { InputLookup } from "../jobs/prepare-inputs.ts";
import { cacheKeyText, parseCacheKey } from "./cache-key.ts";
import { type PreviewPlan, planPreview } from "./plan-preview.ts";
import { findCached, notePreview, storePreview } from "./preview-cache.ts";
import {
  callOf,
  callQuota,
  countAlike,
  exhausted,
  type PreviewClient,
  type PreviewQuotaState,
  presentQuota,
  stateOf,
  UNAVAILABLE,
} from "./quota-client.ts";
import { renderPreview } from "./render-preview.ts";

export interface CreatePreviewDeps extends InputLookup {
  /** See watermark-seed.ts. */
  readonly markSeed: number;
  /** Runs tasks on the renderer one at a time; 429 SERVICE_BUSY when too many wait. */
  readonly withRenderer: <T>(task: (renderer: Renderer) => Promise<T>) => Promise<T | Refusal>;
}

export interface ShownPreview {
  readonly preview: CachedPreview;
  /** True when nothing was rendered for this request. */
  readonly isCached: boolean;
  readonly quota: PreviewQuotaState;
}

/** The API's representation of a preview, with the quota that remains after it. */
export const presentPreview = (shown: ShownPreview): z.infer<typeof previewSchema> => ({
  ...shown.preview,
  cached: shown.isCached,
  quota: presentQuota(shown.quota),
});

/** One preview reserved under a cache key. */
interface Reservation {
  readonly reservationId: string;
  readonly cacheKey: string;
}

/** A reservation, and the counters that include it. */
interface Reserved {
  readonly reservation: Reservation;
  readonly state: PreviewQuotaState;
  readonly atMs: number;
  /** Whether an identical preview was settled before, possibly since the cache was read. */
  readonly mayBeCached: boolean;
}

/** A preview and its reservation, which is null for a cached one. */
type Rendered = ShownPreview & { readonly reservation: Reservation | null };

/** A lease that is older than this is renewed before drawing, so that drawing ends well before the lease does. */
const LEASE_AGE_MS_MAX = LIMITS.previewLeaseMs / 5;

/**
 * Maximum number of attempts to reserve the preview. After a failed attempt, the request waits for the request that is
 * rendering the identical preview.
 */
const ROUNDS_MAX = 4;

/**
 * Counts a well-formed request, whatever its result. 429 PREVIEW_RATE_LIMITED when the key sends far more requests than
 * its limit of rendered previews, 503 PREVIEW_UNAVAILABLE.
 */
export async function admitRequest(client: PreviewClient): Promise<Outcome<PreviewQuotaState>> {
  const call = callOf(client);
  const admitted = await callQuota(client, (stub) => stub.admit(call));
  if (!admitted.ok) return admitted;
  const state = stateOf(client, admitted.value.counts);
  return admitted.value.isAdmitted ? accept(state) : exhausted(state, call.nowMs);
}

/**
 * Creates a preview of a pack's first size, from the cache or rendered under one reservation. `found` are the
 * workspace's assets among those that the request names. Refuses with 400, 409 ASSET_NOT_READY, 429 with the quota, 502
 * PREVIEW_RENDER_FAILED or 503; a refusal uses no quota. Throws when writing the Idempotency-Key failed or is
 * uncertain; the reservation is settled only if it was written.
 */
export async function createPreview(
  deps: CreatePreviewDeps,
  client: PreviewClient,
  quota: PreviewQuotaState,
  claim: IdempotencyClaim,
  request: CreatePreviewRequest,
  found: readonly Asset[],
): Promise<Outcome<ShownPreview>> {
  const shown = await showPreview(deps, client, quota, request, found);
  if (!shown.ok) return shown;
  const { preview, reservation } = shown.value;
  try {
    await deps.db.batch([
      ...rememberStatements(deps.db, claim, cacheKeyText(preview), LIMITS.previewIdempotencyMs),
    ]);
  } catch (thrown) {
    if (reservation !== null && (await wasRemembered(deps.db, claim))) await settle(client, shown.value);
    else if (reservation !== null) await release(client, reservation, true);
    throw thrown;
  }
  return settle(client, shown.value);
}

/**
 * Whether the Idempotency-Key was written despite an error: its response was lost, or a concurrent identical request
 * came first. The caller will then see this preview.
 */
async function wasRemembered(db: D1Database, claim: IdempotencyClaim): Promise<boolean> {
  try {
    return (await findRecord(db, claim))?.requestHash === claim.requestHash;
  } catch {
    return false;
  }
}

/** Replays an earlier request's preview. If it is no longer cached, it is rendered like a new request. */
export async function replayPreview(
  deps: CreatePreviewDeps,
  client: PreviewClient,
  quota: PreviewQuotaState,
  remembered: string,
  request: CreatePreviewRequest,
): Promise<Outcome<ShownPreview>> {
  const cacheKey = parseCacheKey(remembered);
  const preview =
    cacheKey === null
      ? null
      : await findCached(deps.bucket, client.workspaceId, cacheKey, clock.now(), Number.POSITIVE_INFINITY);
  if (preview !== null) return accept({ preview, isCached: true, quota });
  const shown = await showPreview(deps, client, quota, request, null);
  return shown.ok ? settle(client, shown.value) : shown;
}

async function showPreview(
  deps: CreatePreviewDeps,
  client: PreviewClient,
  quota: PreviewQuotaState,
  request: CreatePreviewRequest,
  found: readonly Asset[] | null,
): Promise<Outcome<Rendered>> {
  const { workspaceId, entitlement } = client;
  const planned = await planPreview(deps, workspaceId, request, entitlement.protection, found);
  if (!planned.ok) return asUnavailable(planned);
  const find = () => findCached(deps.bucket, client.workspaceId, planned.value.cacheKey, clock.now());
  const cached = await find();
  if (cached !== null) return accept({ preview: cached, isCached: true, quota, reservation: null });

  const reservation: Reservation = {
    reservationId: newId(),
    cacheKey: cacheKeyText(planned.value.cacheKey),
  };
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const call = { ...callOf(client), ...reservation };
    const reserved = await callQuota(client, (stub) => stub.reserve(call));
    if (!reserved.ok) return reserved;
    const state = stateOf(client, reserved.value.counts);
    if (reserved.value.kind === "refused") return exhausted(state, call.nowMs);
    if (reserved.value.kind === "reserved") {
      const { wasSettled: mayBeCached } = reserved.value;
      return renderReserved(deps, client, planned.value, {
        reservation,
        state,
        atMs: call.nowMs,
        mayBeCached,
      });
    }
    const waited = await callQuota(client, (stub) =>
      stub.untilFree(reservation.cacheKey, call.nowMs, LIMITS.previewWaitMsMax),
    );
    if (!waited.ok) return waited;
    const preview = await find();
    if (preview !== null) return accept({ preview, isCached: true, quota: state, reservation: null });
  }
  return UNAVAILABLE;
}

/** Renders under a reservation, which a failure releases. */
async function renderReserved(
  deps: CreatePreviewDeps,
  client: PreviewClient,
  planned: PreviewPlan,
  { reservation, state, atMs, mayBeCached }: Reserved,
): Promise<Outcome<Rendered>> {
  let outcome: Outcome<CachedPreview>;
  try {
    const preview = mayBeCached
      ? await findCached(deps.bucket, client.workspaceId, planned.cacheKey, clock.now())
      : null;
    if (preview !== null) {
      const quota = await release(client, reservation, false);
      return accept({ preview, isCached: true, quota: quota ?? state, reservation: null });
    }
    outcome = await deps.withRenderer(async (renderer) => {
      const lost = await renewOld(client, reservation, atMs);
      return lost ?? renderAndStore(deps, client, renderer, planned);
    });
  } catch (thrown) {
    log.failure(
      {
        event: "preview_failed",
        workspaceId: client.workspaceId,
      },
      thrown,
    );
    outcome = refuse("PREVIEW_RENDER_FAILED", "The preview could not be drawn; nothing was taken for it.", {
      reason: "RENDERING_FAILED",
      nextAction: "Send the same request again; if it fails again, report the request id.",
      safeToRetryUnchanged: true,
    });
  }
  if (outcome.ok) return accept({ preview: outcome.value, isCached: false, quota: state, reservation });
  await release(client, reservation, outcome.code !== "SERVICE_BUSY");
  return asUnavailable(outcome);
}

/** Renews a lease that may have expired while waiting for the renderer; a refusal when it is lost, else null. */
async function renewOld(
  client: PreviewClient,
  reservation: Reservation,
  reservedAtMs: number,
): Promise<Refusal | null> {
  const call = { ...callOf(client), ...reservation };
  if (call.nowMs - reservedAtMs < LEASE_AGE_MS_MAX) return null;
  const renewed = await callQuota(client, (stub) => stub.renew(call));
  if (!renewed.ok) return renewed;
  return renewed.value.isHeld ? null : exhausted(stateOf(client, renewed.value.counts), call.nowMs);
}

/**
 * Renders and stores a preview whose row is written in parallel, unless too many of the day's pictures look the same.
 */
async function renderAndStore(
  { db, bucket, markSeed }: CreatePreviewDeps,
  client: PreviewClient,
  renderer: Renderer,
  planned: PreviewPlan,
): Promise<Outcome<CachedPreview>> {
  const { workspaceId } = client;
  const noting = notePreview(db, workspaceId, planned.cacheKey, clock.now());
  // Awaited below, where a failure is thrown. It must not end this function earlier, because rendering would still
  // occupy the renderer.
  noting.catch(() => undefined);
  const rendered = await renderPreview(bucket, renderer, planned, markSeed);
  await noting;
  if (!rendered.ok) return rendered;
  const files = Object.entries(planned.inputs).map(([slotId, { sha256 }]) => `${slotId} ${sha256}`);
  const counted = await countAlike(client, { files: files.sort().join(), likeness: rendered.value.likeness });
  if (!counted.ok) return counted;
  const { preview } = rendered.value;
  await storePreview(bucket, workspaceId, preview, clock.now());
  return accept(preview);
}

/** 429 on this route means the quota (API §7.6), so overload and an unreachable font library are 503. */
const asUnavailable = (refusal: Refusal): Refusal =>
  refusal.code === "SERVICE_BUSY" ? refuse("PREVIEW_UNAVAILABLE", refusal.message) : refusal;

/** Makes the reservation permanent. If that fails, the request fails, and the preview stays in the cache. */
async function settle(
  client: PreviewClient,
  { reservation, ...shown }: Rendered,
): Promise<Outcome<ShownPreview>> {
  if (reservation === null) return accept(shown);
  const settled = await callQuota(client, (stub) => stub.settle({ ...callOf(client), ...reservation }));
  return settled.ok ? accept({ ...shown, quota: stateOf(client, settled.value) }) : settled;
}

/** Releases the reservation; null when the counters are unreachable, and then its lease expires. */
async function release(
  client: PreviewClient,
  reservation: Reservation,
  wasAttempted: boolean,
): Promise<PreviewQuotaState | null> {
  const released = await callQuota(client, (stub) =>
    stub.release({ ...callOf(client), ...reservation }, wasAttempted),
  );
  return released.ok ? stateOf(client, released.value) : null;
}
