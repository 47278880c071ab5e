import { type Refusal, refuse } from "#api/errors.ts";
import { JOB_WINDOWS, type JobWindow } from "#api/limits.ts";
import type { Preparer, RowOf } from "#platform/db/statement.ts";
import type { Asset } from "../assets/asset.ts";
import type { IdempotencyClaim } from "../idempotency/claim.ts";
import type { BudgetAtOrder } from "../keys/budget.ts";
import type { PaidAccess } from "../ledger/payment.ts";
import type { fullJobWindows } from "./store.ts";
import { assertPreconditions } from "./store.ts";

/**
 * Stored state that decides whether a job may be created: assets, means of payment, the key's budget, the windows of
 * refunded jobs, and the owner's confirmation.
 */
export interface JobPreconditions {
  readonly assets: readonly Asset[];
  readonly access: PaidAccess;
  /** Budget of the requesting key. A cached one may be stale or another key's; the write checks it again. */
  readonly budget: BudgetAtOrder | null;
  readonly windowLimits: JobWindowLimits;
  /** The full window of refunded jobs, if any. */
  readonly fullWindow: FullJobWindow | null;
  /** Whether the origin sends mail, so that an owner can and must confirm the address. */
  readonly needsConfirmedOwner: boolean;
  readonly hasUnconfirmedOwner: boolean;
}

/**
 * Fails its batch with `job_preconditions` unless cached preconditions still apply: the assets are ready and not
 * deleted (nothing else about a ready asset changes), and the workspace pays from the same source, has no full window
 * and no owner with an address to confirm. The payment itself guards the amount.
 */
export const preconditionGuard = (
  db: Preparer,
  { workspaceId, nowMs }: IdempotencyClaim,
  { assets, access, windowLimits, needsConfirmedOwner }: JobPreconditions,
): D1PreparedStatement =>
  assertPreconditions.bind(db, {
    workspaceId,
    hasUnlimitedAccess: access.hasUnlimitedAccess ? 1 : 0,
    subscriptionId: access.subscription?.subscriptionId ?? null,
    assetIds: JSON.stringify(assets.map(({ assetId }) => assetId)),
    needsConfirmedOwner: needsConfirmedOwner ? 1 : 0,
    nowMs,
    ...windowValues(windowLimits, nowMs),
  });

/** Maximum jobs per window; see `JOB_WINDOWS`. */
export type JobWindowLimits = Readonly<Record<JobWindow, number>>;

/** A full window, and the time at which its oldest job leaves it. */
export interface FullJobWindow {
  readonly window: JobWindow;
  readonly limit: number;
  readonly resetsAtMs: number;
}

const WINDOW_MS = JOB_WINDOWS["failed-jobs"].windowMs;

export const windowValues = (limits: JobWindowLimits, nowMs: number) => ({
  sinceMs: nowMs - WINDOW_MS,
  failedJobs: limits["failed-jobs"],
  canceledJobs: limits["canceled-jobs"],
});

/** The full window that reopens last, or null. */
export function fullWindowOf(
  oldest: RowOf<typeof fullJobWindows> | null,
  limits: JobWindowLimits,
): FullJobWindow | null {
  let last: FullJobWindow | null = null;
  for (const window of ["failed-jobs", "canceled-jobs"] as const) {
    const createdAtMs = oldest?.[window] ?? null;
    if (createdAtMs === null) continue;
    const resetsAtMs = createdAtMs + WINDOW_MS;
    if (last === null || resetsAtMs > last.resetsAtMs) last = { window, limit: limits[window], resetsAtMs };
  }
  return last;
}

const WORDS: Readonly<Record<JobWindow, { readonly what: string; readonly nextAction: string }>> = {
  "failed-jobs": {
    what: "failed by their inputs",
    nextAction:
      "Read `failure` of the latest failed jobs and correct what it names; then wait until X-RateLimit-Reset.",
  },
  "canceled-jobs": {
    what: "were canceled",
    nextAction: "Wait until X-RateLimit-Reset, and create only jobs that are to be drawn.",
  },
};

/** 429 RATE_LIMITED with the window's own headers. */
export const refuseInJobWindow = ({ window, limit, resetsAtMs }: FullJobWindow, nowMs: number): Refusal => ({
  ...refuse(
    "RATE_LIMITED",
    `${limit} jobs of the last hour ${WORDS[window].what} and were refunded; that is the limit.`,
    { family: window, limit, nextAction: WORDS[window].nextAction },
  ),
  retryAfterSeconds: (resetsAtMs - nowMs) / 1_000,
  fullWindow: { limit, resetsAtMs },
});
