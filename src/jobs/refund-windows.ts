import { type Refusal, refuse } from "../contract/errors.ts";
import { JOB_WINDOWS, type JobWindow } from "../contract/limits.ts";
import { INPUT_FAILURE_CODES } from "../contract/schemas/job.ts";

/** Jobs that each window takes; see `JOB_WINDOWS`. */
export type JobWindowLimits = Readonly<Record<JobWindow, number>>;

/** A window that is full, and when its oldest job leaves it. */
export interface FullJobWindow {
  readonly window: JobWindow;
  readonly limit: number;
  readonly resetsAtMs: number;
}

/** Jobs of a workspace (?1) that count in each window, created after ?2. Served by the index `jobs_by_status`. */
const FAILED = `SELECT created_at FROM jobs WHERE workspace_id = ?1 AND status = 'failed' AND created_at > ?2
  AND failure_code IN (${INPUT_FAILURE_CODES.map((code) => `'${code}'`).join(", ")})`;
const CANCELED = `SELECT created_at FROM jobs WHERE workspace_id = ?1 AND status = 'canceled' AND created_at > ?2`;

const WINDOW_MS = JOB_WINDOWS["failed-jobs"].windowMs;

/** The job whose leaving opens a window again: the newest but `limit - 1`. No row where there are fewer. */
const nthNewest = (window: JobWindow, jobs: string, limit: string): string =>
  `SELECT * FROM (SELECT '${window}' AS window, created_at AS createdAt FROM (${jobs})
     ORDER BY created_at DESC LIMIT 1 OFFSET ${limit} - 1)`;

/** Reads which windows of a workspace are full; `toFullWindow` takes its result. */
export const jobWindowsStatement = (
  db: D1DatabaseSession,
  workspaceId: string,
  limits: JobWindowLimits,
  nowMs: number,
): D1PreparedStatement =>
  db
    .prepare(
      `${nthNewest("failed-jobs", FAILED, "?3")} UNION ALL ${nthNewest("canceled-jobs", CANCELED, "?4")}`,
    )
    .bind(workspaceId, nowMs - WINDOW_MS, limits["failed-jobs"], limits["canceled-jobs"]);

/** The full window that opens last, or null. */
export function toFullWindow(result: D1Result | undefined, limits: JobWindowLimits): FullJobWindow | null {
  let last: FullJobWindow | null = null;
  for (const row of (result?.results ?? []) as { window: JobWindow; createdAt: number }[]) {
    const full = {
      window: row.window,
      limit: limits[row.window],
      resetsAtMs: row.createdAt + WINDOW_MS,
    };
    if (last === null || full.resetsAtMs > last.resetsAtMs) last = full;
  }
  return last;
}

/**
 * A condition that holds where no window is full, for a statement whose ?1 is the workspace. Limits and the time are
 * bound from `first` on, as `jobWindowValues` gives them.
 */
export const noWindowIsFull = (first: number): string => {
  const within = (jobs: string, limit: string) =>
    `(SELECT COUNT(*) FROM (${jobs.replace("?2", `?${first}`)} LIMIT ${limit})) < ${limit}`;
  return `${within(FAILED, `?${first + 1}`)} AND ${within(CANCELED, `?${first + 2}`)}`;
};

export const jobWindowValues = (limits: JobWindowLimits, nowMs: number): readonly number[] => [
  nowMs - WINDOW_MS,
  limits["failed-jobs"],
  limits["canceled-jobs"],
];

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
