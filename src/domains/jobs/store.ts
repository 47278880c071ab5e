import { and, desc, eq, gt, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import { type JobWindow, LIMITS } from "#api/limits.ts";
import { INPUT_FAILURE_CODES } from "#api/schemas/job.ts";
import { guard } from "#platform/db/batch-guard.ts";
import {
  apiKeys,
  artifacts,
  assets,
  jobParts,
  jobs,
  ledgerEvents,
  subscriptions,
  workspaces,
} from "#platform/db/schema/index.ts";
import { type Given, matches, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import { approvalOf } from "../artifacts/approval.ts";
import { sizesOfJob } from "../artifacts/store.ts";
import { nextJobTime } from "../keys/budget-store.ts";
import { hasUnconfirmedOwner } from "../workspaces/confirmed-owner.ts";
import { waitsForSlot } from "./fair-queue-store.ts";
import type { JobFailureCode, JobInputs, JobPlan, JobStatus } from "./job.ts";
import { isOpen } from "./open-jobs.ts";

/** SQL that reads, creates and ends jobs. SQL of parts is in part-store.ts. */

/** True for an ended job; written exactly as in the partial index `jobs_ended`. */
const hasEnded = sql`${jobs.finishedAt} is not null`;

/** Progress of a job that has not succeeded comes from its parts. */
const outputsDone = sql<number>`iif(${jobs.status} = 'succeeded', ${sizesOfJob},
  (select coalesce(sum(${jobParts.outputsDone}), 0) from ${jobParts} where ${jobParts.jobId} = ${jobs.jobId}))`;

/** The columns of a job that every response shows. */
const listed = () => ({
  ...pick(jobs, "jobId", "workspaceId", "status", "contractId", "motion", "outputFormat"),
  ...pick(jobs, "selectedSizeIds", "assetIds", "copy", "brand", "look", "variant", "placements"),
  ...pick(jobs, "name", "versionOf", "brandId", "brandAssetIds", "buttonStyle"),
  approval: approvalOf(jobs.artifactId),
  ...pick(jobs, "composition", "scale", "network", "clickUrl"),
  ...pick(jobs, "costCredits", "renderFingerprint", "archive", "livemode"),
  /** The artifact id is chosen with the job, but shown only once the job has succeeded. */
  ...pick(jobs, "artifactId", "failureCode", "failureMessage"),
  notifyDestinationId: jobs.notifyDestinationId,
  imageHash: jobs.imageHash,
  isRefunded: sql`exists (select 1 from ${ledgerEvents}
    where ${ledgerEvents.jobId} = ${jobs.jobId} and ${ledgerEvents.type} = 'refund')`.mapWith(Boolean),
  isWaiting: jobs.isWaiting,
  outputsTotal: sizesOfJob,
  outputsDone,
  createdAtMs: jobs.createdAt,
  startedAtMs: jobs.startedAt,
  finishedAtMs: jobs.finishedAt,
});

/** A job with its overrides. They can be as large as a request, so pages of jobs leave them out. */
const shown = () => ({ ...listed(), overrides: jobs.overrides });

type JobId = { readonly workspaceId: string; readonly jobId: string };

/** The id of a job, and the mode of the caller. A job of the other mode counts as missing. */
export type JobInMode = JobId & { readonly livemode: boolean };

export const jobOfWorkspace = statement((given: Given<JobId>) =>
  query.read(jobs, shown()).where(matches(jobs, pick(given, "jobId", "workspaceId"))),
);

/** The status of a job of the workspace, for a request that waits for its end. */
export const jobStatus = statement((given: Given<JobId>) =>
  query.read(jobs, { status: jobs.status }).where(matches(jobs, pick(given, "jobId", "workspaceId"))),
);

/** A job. Times are Unix milliseconds; `isWaiting` is true until it has a queue slot. */
export type Job = RowOf<typeof jobOfWorkspace>;

export type ListedJob = Omit<Job, "overrides">;

/** A job of any workspace with its inputs, for rendering. */
export const jobToRender = statement((given: Given<{ jobId: string }>) =>
  query.read(jobs, { ...shown(), inputs: jobs.renderInputs }).where(eq(jobs.jobId, given.jobId)),
);

export type JobToRender = RowOf<typeof jobToRender>;

interface PageValues {
  readonly workspaceId: string;
  /** Only jobs created before this time. */
  readonly beforeMs: number;
  readonly status: JobStatus | null;
  readonly renderFingerprint: string | null;
  /** The job of a pack's first version. */
  readonly versionOf: string | null;
  /** Decides which artifacts have expired. */
  readonly nowMs: number;
  readonly limit: number;
}

/** True for a job with this fingerprint that is open or whose artifact is ready and not expired. */
const isReusable = (given: Given<PageValues>) =>
  sql`${jobs.renderFingerprint} = ${given.renderFingerprint} and ((${isOpen})
    or ${jobs.status} = 'succeeded' and exists (select 1 from ${artifacts}
      where ${artifacts.artifactId} = ${jobs.artifactId} and ${artifacts.status} = 'ready'
        and ${artifacts.expiresAt} > ${given.nowMs}))`;

/** Written exactly as in the partial indexes. */
const isLive = sql`${jobs.livemode} = 1`;
const isTest = sql`${jobs.livemode} = 0`;

/** Jobs of live keys created before a time; excludes jobs of image URLs. */
const isBefore = (given: Given<PageValues>) =>
  and(
    eq(jobs.workspaceId, given.workspaceId),
    lt(jobs.createdAt, given.beforeMs),
    isLive,
    isNull(jobs.imageHash),
  );

/** A page of the workspace's jobs, newest first, without their overrides. */
const page = (filter?: (given: Given<PageValues>) => SQL | undefined, isInPage = isBefore) =>
  statement((given: Given<PageValues>) =>
    query
      .read(jobs, listed())
      .where(and(isInPage(given), filter?.(given)))
      .orderBy(desc(jobs.createdAt))
      .limit(given.limit),
  );

const hasStatus = (given: Given<PageValues>) => eq(jobs.status, given.status);

/** The filters by status and fingerprint, for pages with few jobs to filter. */
const isFiltered = (given: Given<PageValues>) =>
  sql`(${given.status} is null or ${hasStatus(given)})
      and (${given.renderFingerprint} is null or ${isReusable(given)})`;

/** One statement per filter, so that each uses its index. The few versions of a pack are filtered after reading. */
export const jobPages = {
  all: page(),
  ofOpenStatus: page((given) => and(isOpen, hasStatus(given))),
  ofEndedStatus: page((given) => and(hasEnded, hasStatus(given))),
  reusable: page(isReusable),
  reusableOfStatus: page((given) => and(hasStatus(given), isReusable(given))),
  versions: page(
    (given) => sql`${jobs.jobId} in (select ${given.versionOf}
      union all select version.job_id from ${jobs} as version where version.version_of = ${given.versionOf})
      and ${isFiltered(given)}`,
    // The unary plus keeps SQLite from scanning all jobs of the workspace: a pack has few versions.
    (given) =>
      sql`+${jobs.workspaceId} = ${given.workspaceId} and +${jobs.createdAt} < ${given.beforeMs} and ${isLive}`,
  ),
  /** Test jobs. One statement has every filter, because test jobs are kept for only two days. */
  test: page(
    (given) => sql`(${given.versionOf} is null or ${given.versionOf} in (${jobs.jobId}, ${jobs.versionOf}))
      and ${isFiltered(given)}`,
    (given) => and(eq(jobs.workspaceId, given.workspaceId), lt(jobs.createdAt, given.beforeMs), isTest),
  ),
};

export interface NewJob extends JobId {
  readonly artifactId: string;
  readonly plan: JobPlan;
  readonly inputs: JobInputs;
  /** The saved brand of the request. */
  readonly brandId: string | null;
  readonly name: string | null;
  /** The job of the pack's first version; null for a first version. */
  readonly versionOf: string | null;
  /** The webhook to notify when the job ends. */
  readonly notifyDestinationId: string | null;
  /** The image of an image URL; null for a pack. */
  readonly imageHash: string | null;
  readonly costCredits: number;
  readonly renderFingerprint: string;
  /** The API key that orders the job; null for an operator. */
  readonly apiKeyId: string | null;
  /** False for a test key. */
  readonly livemode: boolean;
  /** Maximum render messages in the queue, shared by all workspaces. */
  readonly queuedMessagesMax: number;
  readonly nowMs: number;
}

type JobValues = Omit<NewJob, "plan"> & JobPlan & { messages: number };

/**
 * Inserts a job where `source` has a row. If the workspace already has a job of that millisecond, the creation time is
 * moved forward. Returns that time, and whether the job waits for a queue slot.
 */
const insertFrom = (source: (given: Given<JobValues>) => SQL) =>
  statement((given: Given<JobValues>) =>
    query
      .insert(jobs)
      .selecting(
        {
          ...pick(given, "jobId", "workspaceId", "contractId", "motion", "outputFormat", "selectedSizeIds"),
          ...pick(given, "assetIds", "copy", "brand", "look", "variant", "composition", "scale"),
          ...pick(
            given,
            "network",
            "clickUrl",
            "brandId",
            "brandAssetIds",
            "buttonStyle",
            "name",
            "versionOf",
          ),
          ...pick(given, "placements", "overrides"),
          ...pick(given, "costCredits", "renderFingerprint", "artifactId", "livemode", "messages"),
          status: "queued",
          isWaiting: waitsForSlot(given),
          renderInputs: given.inputs,
          ...pick(given, "notifyDestinationId", "imageHash"),
          // Session keys live for an hour and are never listed, so their orders have no key.
          apiKeyId: sql`(select ${apiKeys.apiKeyId} from ${apiKeys}
          where ${apiKeys.apiKeyId} = ${given.apiKeyId} and ${apiKeys.sessionId} is null)`,
          createdAt: nextJobTime(given.workspaceId, given.nowMs),
        },
        source(given),
      )
      .returning({ createdAtMs: jobs.createdAt, isWaiting: jobs.isWaiting }),
  );

/** Inserts a job if its consumption event is earlier in the batch. */
export const insertJob = insertFrom(
  (given) => sql`from ${ledgerEvents} where ${ledgerEvents.jobId} = ${given.jobId}
    and ${ledgerEvents.workspaceId} = ${given.workspaceId} and ${ledgerEvents.type} = 'consumption'`,
);

/** Inserts a test job, which has no payment. */
export const insertTestJob = insertFrom(
  (given) => sql`from ${workspaces} where ${workspaces.workspaceId} = ${given.workspaceId}`,
);

/**
 * Fails its batch with `key_budget` when the test job inserted before it exceeds its workspace's limit for the job's
 * own UTC day. D1 runs batches one after another, so two jobs cannot use the same remainder.
 */
export const assertTestLimit = statement((given: Given<{ jobId: string }>) => {
  const ofJob = (member: string) =>
    sql`(select ${sql.raw(member)} from ${jobs} as one where one.job_id = ${given.jobId})`;
  return guard(
    "key_budget",
    sql`(select sum(${jobs.costCredits}) from ${jobs} where ${isTest} and ${jobs.workspaceId} = ${ofJob("one.workspace_id")}
      and ${jobs.createdAt} >= ${ofJob("one.created_at / 86400000 * 86400000")}) <= ${LIMITS.testOutputsPerDay}`,
  );
});

interface WindowValues {
  readonly workspaceId: string;
  /** Start of the windows. */
  readonly sinceMs: number;
  readonly failedJobs: number;
  readonly canceledJobs: number;
}

/** Jobs of the workspace that count in a window. Uses the index `jobs_ended`. */
const countsIn = (window: JobWindow, given: Given<WindowValues>) =>
  and(
    eq(jobs.workspaceId, given.workspaceId),
    hasEnded,
    isLive,
    window === "failed-jobs"
      ? and(eq(jobs.status, "failed"), inArray(jobs.failureCode, INPUT_FAILURE_CODES))
      : eq(jobs.status, "canceled"),
    gt(jobs.createdAt, given.sinceMs),
  );

/**
 * For each window the creation time of its `limit`-th newest job. If there is one, the window is full until that job
 * leaves it.
 */
export const fullJobWindows = statement((given: Given<WindowValues>) => {
  const nthNewest = (window: JobWindow, limit: SQL) =>
    sql<number | null>`(select ${jobs.createdAt} from ${jobs} where ${countsIn(window, given)}
      order by ${jobs.createdAt} desc limit 1 offset ${limit} - 1)`;
  return query
    .read(workspaces, {
      "failed-jobs": nthNewest("failed-jobs", sql`${given.failedJobs}`),
      "canceled-jobs": nthNewest("canceled-jobs", sql`${given.canceledJobs}`),
    })
    .where(eq(workspaces.workspaceId, given.workspaceId));
});

/**
 * Fails its batch with `job_preconditions` unless the assets are ready and not deleted, and the workspace pays from the
 * same source, has no full window, and no owner who still has to confirm an address. `assetIds` is a JSON list.
 */
export const assertPreconditions = statement(
  (
    given: Given<
      WindowValues & {
        workspaceId: string;
        hasUnlimitedAccess: number;
        subscriptionId: string | null;
        assetIds: string;
        needsConfirmedOwner: number;
        nowMs: number;
      }
    >,
  ) => {
    const hasRoom = (window: JobWindow, limit: SQL) =>
      sql`(select count(*) from (select 1 from ${jobs} where ${countsIn(window, given)} limit ${limit})) < ${limit}`;
    return guard(
      "job_preconditions",
      sql`(select ${workspaces.hasUnlimitedAccess} from ${workspaces}
          where ${workspaces.workspaceId} = ${given.workspaceId}) = ${given.hasUnlimitedAccess}
        and (select ${subscriptions.subscriptionId} from ${subscriptions}
          where ${subscriptions.workspaceId} = ${given.workspaceId} and ${subscriptions.status} = 'active'
            and coalesce(${subscriptions.paysUntil} > ${given.nowMs}, 1))
          is ${given.subscriptionId}
        and (select count(*) from ${assets} where ${assets.workspaceId} = ${given.workspaceId}
          and ${assets.status} = 'ready' and ${assets.deletedAt} is null
          and ${assets.assetId} in (select value from json_each(${given.assetIds}))) = json_array_length(${given.assetIds})
        and ${hasRoom("failed-jobs", sql`${given.failedJobs}`)}
        and ${hasRoom("canceled-jobs", sql`${given.canceledJobs}`)}
        and not (${given.needsConfirmedOwner} and ${hasUnconfirmedOwner(given)})`,
    );
  },
);

export const renameJobRow = statement((given: Given<JobInMode & { name: string | null }>) =>
  query
    .update(jobs)
    .set({ name: given.name })
    .where(matches(jobs, pick(given, "jobId", "workspaceId", "livemode"))),
);

export const cancelQueuedJob = statement((given: Given<JobInMode & { nowMs: number }>) =>
  query
    .update(jobs)
    .set({ status: "canceled", finishedAt: given.nowMs })
    .where(matches(jobs, { ...pick(given, "jobId", "workspaceId", "livemode"), status: "queued" })),
);

/** Moves a running job to succeeded if its artifact exists. */
export const succeedJob = statement((given: Given<{ jobId: string; nowMs: number }>) =>
  query
    .update(jobs)
    .set({ status: "succeeded", finishedAt: given.nowMs })
    .where(
      sql`${matches(jobs, { jobId: given.jobId, status: "running" })} and exists (select 1 from ${artifacts}
        where ${artifacts.artifactId} = ${jobs.artifactId})`,
    ),
);

export const failOpenJob = statement(
  (
    given: Given<{
      jobId: string;
      code: JobFailureCode;
      message: string;
      nowMs: number;
      deleteFilesAfterMs: number;
    }>,
  ) =>
    query
      .update(jobs)
      .set({
        status: "failed",
        failureCode: given.code,
        failureMessage: given.message,
        finishedAt: given.nowMs,
        deleteFilesAfter: given.deleteFilesAfterMs,
      })
      .where(and(eq(jobs.jobId, given.jobId), isOpen))
      .returning({
        workspaceId: jobs.workspaceId,
        ...pick(jobs, "motion", "selectedSizeIds"),
        /** The undrawn part with the most attempts. */
        part: sql<number | null>`(select ${jobParts.part} from ${jobParts}
          where ${jobParts.jobId} = ${given.jobId} and ${jobParts.files} is null
          order by ${jobParts.attempts} desc, ${jobParts.part} limit 1)`,
      }),
);
