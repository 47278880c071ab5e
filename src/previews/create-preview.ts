import { accept, type Outcome, type Refusal, refuse } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import type { PackRequest } from "../contract/schemas/job.ts";
import type { KeptPreview } from "../contract/schemas/preview.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import { findRemembered, rememberStatements } from "../idempotency/store.ts";
import type { InputLookup } from "../jobs/prepare-inputs.ts";
import { clock } from "../platform/clock.ts";
import { newId } from "../platform/ids.ts";
import { errorNameOf, log } from "../platform/log.ts";
import type { Renderer } from "../renderer/index.ts";
import type { PreviewQuotaState } from "./allowance.ts";
import { drawPreview } from "./draw-preview.ts";
import { readSubject, subjectText } from "./identity.ts";
import { findKept, keepPreview } from "./kept-previews.ts";
import { type PreviewPlan, planPreview } from "./plan-preview.ts";
import { ask, exhausted, type PreviewClient, questionOf, stateOf, UNAVAILABLE } from "./quota.ts";

export interface CreatePreviewDeps extends InputLookup {
  /** Lends the renderer to one task at a time; 429 SERVICE_BUSY when too many wait for it. */
  readonly withRenderer: <T>(task: (renderer: Renderer) => Promise<T>) => Promise<T | Refusal>;
}

export interface ShownPreview {
  readonly kept: KeptPreview;
  /** Nothing was drawn for this request. */
  readonly isCached: boolean;
  readonly quota: PreviewQuotaState;
}

/** A unit of the allowance that is reserved for a subject. */
interface Unit {
  readonly unitId: string;
  readonly subject: string;
}
/** A preview, and the reserved unit it was drawn under; null when it came from the cache. */
type Drawn = ShownPreview & { readonly unit: Unit | null };

/** Equal previews that are waited for one after the other, each having failed the one before. */
const ROUNDS_MAX = 4;

/**
 * Counts a request that is well-formed, whatever it will cost. 429 PREVIEW_RATE_LIMITED when the key sends many more
 * than it may have drawn, 503 PREVIEW_UNAVAILABLE.
 */
export async function admitRequest(client: PreviewClient): Promise<Outcome<PreviewQuotaState>> {
  const question = questionOf(client);
  const admitted = await ask(client, (stub) => stub.admit(question));
  if (!admitted.ok) return admitted;
  const state = stateOf(client, admitted.value.counts);
  return admitted.value.isAdmitted ? accept(state) : exhausted(state, question.nowMs);
}

/**
 * Shows the first size of a pack: from the cache, or drawn under one unit of the workspace's allowance. Refuses with
 * 400, 409 ASSET_NOT_READY, 429 with the quota, 502 PREVIEW_RENDER_FAILED, 503; none of them takes a unit.
 * Throws when the Idempotency-Key could not be written, or not for certain; the unit follows what was written.
 */
export async function createPreview(
  deps: CreatePreviewDeps,
  client: PreviewClient,
  quota: PreviewQuotaState,
  claim: IdempotencyClaim,
  request: PackRequest,
): Promise<Outcome<ShownPreview>> {
  const shown = await showPreview(deps, client, quota, request);
  if (!shown.ok) return shown;
  const { kept, unit } = shown.value;
  try {
    await deps.db.batch([
      ...rememberStatements(deps.db, claim, subjectText(kept), LIMITS.previewIdempotencyMs),
    ]);
  } catch (thrown) {
    if (unit !== null && (await wasRemembered(deps.db, claim))) await settle(client, shown.value);
    else if (unit !== null) await release(client, unit, true);
    throw thrown;
  }
  return settle(client, shown.value);
}

/**
 * Whether the Idempotency-Key was written all the same: its answer was lost, or an equal request that was shown this
 * very picture came first. Either way the caller will be shown it.
 */
async function wasRemembered(db: D1Database, claim: IdempotencyClaim): Promise<boolean> {
  try {
    return (await findRemembered(db, claim))?.requestHash === claim.requestHash;
  } catch {
    return false;
  }
}

/**
 * The preview that an earlier request was answered with. Should it have gone from the cache, the same is made again,
 * as a new request would have it made.
 */
export async function recallPreview(
  deps: CreatePreviewDeps,
  client: PreviewClient,
  quota: PreviewQuotaState,
  remembered: string,
  request: PackRequest,
): Promise<Outcome<ShownPreview>> {
  const subject = readSubject(remembered);
  const kept =
    subject === null
      ? null
      : await findKept(deps.bucket, client.workspaceId, subject, clock.now(), Number.POSITIVE_INFINITY);
  if (kept !== null) return accept({ kept, isCached: true, quota });
  const shown = await showPreview(deps, client, quota, request);
  return shown.ok ? settle(client, shown.value) : shown;
}

async function showPreview(
  deps: CreatePreviewDeps,
  client: PreviewClient,
  quota: PreviewQuotaState,
  request: PackRequest,
): Promise<Outcome<Drawn>> {
  const planned = await planPreview(deps, client.workspaceId, request, client.allowance.protection);
  if (!planned.ok) return asUnavailable(planned);
  const kept = await findKept(deps.bucket, client.workspaceId, planned.value.subject, clock.now());
  if (kept !== null) return accept({ kept, isCached: true, quota, unit: null });

  const unit: Unit = { unitId: newId(), subject: subjectText(planned.value.subject) };
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const question = { ...questionOf(client), ...unit };
    const reserved = await ask(client, (stub) => stub.reserve(question));
    if (!reserved.ok) return reserved;
    const state = stateOf(client, reserved.value.counts);
    if (reserved.value.kind === "refused") return exhausted(state, question.nowMs);
    if (reserved.value.kind === "reserved") return drawReserved(deps, client, planned.value, unit, state);
    const waited = await ask(client, (stub) =>
      stub.untilFree(unit.subject, question.nowMs, LIMITS.previewWaitMsMax),
    );
    if (!waited.ok) return waited;
    const drawn = await findKept(deps.bucket, client.workspaceId, planned.value.subject, clock.now());
    if (drawn !== null) return accept({ kept: drawn, isCached: true, quota: state, unit: null });
  }
  return UNAVAILABLE;
}

/** Draws under a reserved unit, which stays reserved on success and is given back on any failure. */
async function drawReserved(
  deps: CreatePreviewDeps,
  client: PreviewClient,
  planned: PreviewPlan,
  unit: Unit,
  state: PreviewQuotaState,
): Promise<Outcome<Drawn>> {
  let outcome: Outcome<KeptPreview>;
  try {
    // An equal preview may have been kept between the look into the cache and the reservation.
    const kept = await findKept(deps.bucket, client.workspaceId, planned.subject, clock.now());
    if (kept !== null) {
      const quota = await release(client, unit, false);
      return accept({ kept, isCached: true, quota: quota ?? state, unit: null });
    }
    outcome = await deps.withRenderer((renderer) => drawInTurn(deps, client, planned, unit, renderer));
  } catch (thrown) {
    log.failure({
      event: "preview_failed",
      workspaceId: client.workspaceId,
      errorName: errorNameOf(thrown),
    });
    outcome = refuse("PREVIEW_RENDER_FAILED", "The preview could not be drawn; nothing was taken for it.", {
      reason: "RENDERING_FAILED",
      nextAction: "Send the same request again; if it fails again, report the request id.",
      safeToRetryUnchanged: true,
    });
  }
  if (outcome.ok) return accept({ kept: outcome.value, isCached: false, quota: state, unit });
  await release(client, unit, outcome.code !== "SERVICE_BUSY");
  return asUnavailable(outcome);
}

/** This route's 429 are those of its allowance (API §7.6): a renderer that too many wait for is a 503. */
const asUnavailable = (refusal: Refusal): Refusal =>
  refusal.code === "SERVICE_BUSY" ? UNAVAILABLE : refusal;

/** Renews the lease, which may have run while others had the renderer, then draws and keeps. */
async function drawInTurn(
  deps: CreatePreviewDeps,
  client: PreviewClient,
  planned: PreviewPlan,
  unit: Unit,
  renderer: Renderer,
): Promise<Outcome<KeptPreview>> {
  const question = { ...questionOf(client), ...unit };
  const renewed = await ask(client, (stub) => stub.renew(question));
  if (!renewed.ok) return renewed;
  if (!renewed.value.isHeld) return exhausted(stateOf(client, renewed.value.counts), question.nowMs);
  const drawn = await drawPreview(deps.bucket, renderer, planned);
  if (drawn.ok) await keepPreview(deps, client.workspaceId, drawn.value, clock.now());
  return drawn;
}

/** Makes the unit a used one. When that cannot be done, nothing is shown; the picture waits in the cache. */
async function settle(client: PreviewClient, { unit, ...shown }: Drawn): Promise<Outcome<ShownPreview>> {
  if (unit === null) return accept(shown);
  const settled = await ask(client, (stub) => stub.settle({ ...questionOf(client), ...unit }));
  return settled.ok ? accept({ ...shown, quota: stateOf(client, settled.value) }) : settled;
}

/** Gives the unit back; null when the counters cannot be reached, and its lease must end by itself. */
async function release(
  client: PreviewClient,
  unit: Unit,
  wasAttempted: boolean,
): Promise<PreviewQuotaState | null> {
  const released = await ask(client, (stub) =>
    stub.release({ ...questionOf(client), ...unit }, wasAttempted),
  );
  return released.ok ? stateOf(client, released.value) : null;
}
