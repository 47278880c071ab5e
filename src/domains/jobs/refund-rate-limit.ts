import { type Refusal, refuse } from "#api/errors.ts";
import { JOB_WINDOWS, type JobWindow } from "#api/limits.ts";
import type { RowOf } from "#platform/db/statement.ts";
import type { fullJobWindows } from "./store.ts";

/** Jobs that each window takes; see `JOB_WINDOWS`. */
export type JobWindowLimits = Readonly<Record<JobWindow, number>>;

/** A window that is full, and when its oldest job leaves it. */
export interface FullJobWindow {
  readonly window: JobWindow;
  readonly limit: number;
  readonly resetsAtMs: number;
}

const WINDOW_MS = JOB_WINDOWS["failed-jobs"].windowMs;

/** What the statements about windows are bound to. */
export const windowValues = (limits: JobWindowLimits, nowMs: number) => ({
  sinceMs: nowMs - WINDOW_MS,
  failedJobs: limits["failed-jobs"],
  canceledJobs: limits["canceled-jobs"],
});

/** The full window that opens last, or null. */
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
    what: "were cancelled",
    nextAction: "Wait until X-RateLimit-Reset, and create only jobs that are to be drawn.",
  },
};

/** 429 RATE_LIMITED, with the window's own headers. */
export const refuseInJobWindow = ({ window, limit, resetsAtMs }: FullJobWindow, nowMs: number): Refusal => ({
  ...refuse(
    "RATE_LIMITED",
    `${limit} jobs of the last hour ${WORDS[window].what} and were given back; the workspace creates no more until then.`,
    { family: window, limit, nextAction: WORDS[window].nextAction },
  ),
  retryAfterSeconds: (resetsAtMs - nowMs) / 1_000,
  fullWindow: { limit, resetsAtMs },
});
