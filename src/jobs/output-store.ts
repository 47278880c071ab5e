import { and, asc, eq, gte, sql } from "drizzle-orm";
import { LIMITS } from "../api/limits.ts";
import { isHeldByMessage, type LeaseHolder } from "../db/lease.ts";
import { matches, query } from "../db/query.ts";
import { jobOutputs, jobs } from "../db/schema/index.ts";
import { type Given, type RowOf, statement } from "../db/statement.ts";
import { isOpen } from "./store.ts";

/** SQL of the outputs of jobs: their leases, attempts and results. */

type Claim = LeaseHolder & {
  readonly jobId: string;
  /** A JSON list. */
  readonly positions: string;
  readonly nowMs: number;
};

type Held = { readonly jobId: string; readonly leaseId: string };

const isNamed = (given: Given<{ jobId: string; positions: string }>) =>
  sql`${jobOutputs.jobId} = ${given.jobId}
    and ${jobOutputs.position} in (select value from json_each(${given.positions}))`;

/** Outputs that nobody renders: queued, or their lease has ended. */
export const isUnheld = (given: Given<{ nowMs: number }>) =>
  sql`(${jobOutputs.status} = 'queued'
    or ${jobOutputs.status} = 'running' and ${jobOutputs.leaseUntil} <= ${given.nowMs})`;

/** The named outputs that nobody renders, or that an earlier attempt at the same message holds. */
const isFree = (given: Given<Claim>) =>
  sql`${isNamed(given)} and (${isUnheld(given)}
    or ${jobOutputs.status} = 'running' and ${isHeldByMessage(jobOutputs.leaseId, given.messageId)})`;

const isHeld = ({ jobId, leaseId }: Given<Held>) =>
  matches(jobOutputs, { jobId, leaseId, status: "running" });

const isExhausted = gte(jobOutputs.attempts, LIMITS.outputAttemptsMax);

/** Takes the free ones of the named outputs of an open job: lease and attempt. */
export const claimFreeOutputs = statement((given: Given<Claim & { leaseUntilMs: number }>) =>
  query
    .update(jobOutputs)
    .set({
      status: "running",
      attempts: sql`${jobOutputs.attempts} + 1`,
      leaseId: given.leaseId,
      leaseUntil: given.leaseUntilMs,
    })
    .where(
      sql`${isFree(given)} and not ${isExhausted}
        and exists (select 1 from ${jobs} where ${jobs.jobId} = ${given.jobId} and ${isOpen})`,
    ),
);

/** Queued to running, once an output is held. */
export const startJob = statement((given: Given<Held & { nowMs: number }>) =>
  query
    .update(jobs)
    .set({ status: "running", startedAt: given.nowMs })
    .where(
      sql`${matches(jobs, { jobId: given.jobId, status: "queued" })} and exists (select 1 from ${jobOutputs}
        where ${matches(jobOutputs, { jobId: given.jobId, leaseId: given.leaseId })})`,
    ),
);

/** The outputs that the lease holder has. */
export const heldOutputs = statement((given: Given<Held>) =>
  query
    .select({ position: jobOutputs.position, sizeId: jobOutputs.sizeId, attempts: jobOutputs.attempts })
    .from(jobOutputs)
    .where(isHeld(given))
    .orderBy(asc(jobOutputs.position)),
);

/** An output under lease; `attempts` counts this one. */
export type ClaimedOutput = RowOf<typeof heldOutputs>;

/** A named output that is free and has had all its attempts. */
export const exhaustedOutput = statement((given: Given<Claim>) =>
  query
    .select({ position: jobOutputs.position })
    .from(jobOutputs)
    .where(and(isFree(given), isExhausted))
    .limit(1),
);

/** Releases what a lease holder still has, so that the next attempt need not wait for the lease to end. */
export const releaseOutputs = statement((given: Given<Held>) =>
  query.update(jobOutputs).set({ status: "queued", leaseId: null, leaseUntil: null }).where(isHeld(given)),
);

export const completeHeldOutput = statement(
  (given: Given<Held & { position: number; files: readonly object[] }>) =>
    query
      .update(jobOutputs)
      .set({ status: "done", files: given.files, leaseId: null, leaseUntil: null })
      .where(and(isHeld(given), eq(jobOutputs.position, given.position))),
);

export const renewLeases = statement((given: Given<Held & { leaseUntilMs: number }>) =>
  query.update(jobOutputs).set({ leaseUntil: given.leaseUntilMs }).where(isHeld(given)),
);

/** The named outputs of an open job that nobody renders: their number, and of those the number without attempts left. */
export const deadOutputs = statement((given: Given<{ jobId: string; positions: string; nowMs: number }>) =>
  query
    .select({
      pending: sql<number>`count(*)`,
      exhausted: sql<number>`coalesce(sum(${isExhausted}), 0)`,
    })
    .from(jobOutputs)
    .innerJoin(jobs, eq(jobs.jobId, jobOutputs.jobId))
    .where(and(isNamed(given), isOpen, isUnheld(given))),
);

/** Fails what is open of a failed job, which takes the leases away. */
export const failOpenOutputs = statement((given: Given<{ jobId: string }>) =>
  query
    .update(jobOutputs)
    .set({ status: "failed", leaseId: null, leaseUntil: null })
    .where(
      sql`${jobOutputs.jobId} = ${given.jobId} and ${jobOutputs.status} in ('queued', 'running')
        and exists (select 1 from ${jobs} where ${matches(jobs, { jobId: given.jobId, status: "failed" })})`,
    ),
);

/** Deletes the record of the files of a job. */
export const deleteOutputFiles = statement((given: Given<{ jobId: string }>) =>
  query.update(jobOutputs).set({ files: null }).where(eq(jobOutputs.jobId, given.jobId)),
);
