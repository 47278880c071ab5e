import { and, asc, eq, gte, sql } from "drizzle-orm";
import { LIMITS } from "#api/limits.ts";
import type { Motion } from "#catalogue/types.ts";
import { clock } from "#platform/clock.ts";
import { isHeldByMessage, type LeaseHolder } from "#platform/db/lease.ts";
import { jobParts, jobs } from "#platform/db/schema/index.ts";
import { excluded, type Given, matches, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick-members.ts";
import type { JobPlan } from "./job.ts";
import { isOpen } from "./open-jobs.ts";
import { type JobToRender, jobToRender } from "./store.ts";

/**
 * A job's outputs, in the order of the request, are divided into parts of a fixed size. One message names one part,
 * which is leased, drawn and completed as a whole. So a pack is drawn in parallel and written in few batches. A part
 * has no row until it is first claimed.
 */

type Cut = Pick<JobPlan, "motion" | "selectedSizeIds">;

/**
 * Number of outputs per part; the last part may have fewer. Never change a value: open jobs would be divided
 * differently. New motions may be added.
 */
const outputsPerPart = (motion: Motion): number =>
  motion === "static" ? LIMITS.staticOutputsPerPart : LIMITS.animatedOutputsPerPart;

/** `outputsPerPart` in SQL. */
const perPart = sql`iif(${jobs.motion} = 'static', ${LIMITS.staticOutputsPerPart}, ${LIMITS.animatedOutputsPerPart})`;

export const partsOf = ({ motion, selectedSizeIds }: Cut): readonly number[] =>
  Array.from({ length: Math.ceil(selectedSizeIds.length / outputsPerPart(motion)) }, (_, part) => part);

/** The size ids of a part, in the job's order. */
export function sizeIdsOfPart({ motion, selectedSizeIds }: Cut, part: number): readonly string[] {
  const count = outputsPerPart(motion);
  return selectedSizeIds.slice(part * count, (part + 1) * count);
}

/** The part that a message names. */
export interface PartName {
  readonly jobId: string;
  readonly part: number;
}

type Named = PartName & { readonly nowMs: number };
type Claim = Named & LeaseHolder;
type Held = PartName & { readonly leaseId: string };

/** The part's job, while it is open and has that part. */
const isOpenJobWith = (given: Given<PartName>) =>
  sql`${jobs.jobId} = ${given.jobId} and ${isOpen}
    and ${given.part} * ${perPart} < json_array_length(${jobs.selectedSizeIds})`;

export const isDrawnOrLeased = (given: Given<{ nowMs: number }>) =>
  sql`(${jobParts.files} is not null or ${jobParts.leaseUntil} > ${given.nowMs})`;

/**
 * True for a part that is neither drawn nor leased. A lease of the same message does not count, because that attempt
 * crashed.
 */
const isFree = (given: Given<Claim>) =>
  sql`${jobParts.files} is null and (coalesce(${jobParts.leaseUntil}, 0) <= ${given.nowMs}
    or ${isHeldByMessage(jobParts.leaseId, given.messageId)})`;

const isHeld = ({ jobId, part, leaseId }: Given<Held>) => matches(jobParts, { jobId, part, leaseId });

const isExhausted = gte(jobParts.attempts, LIMITS.partAttemptsMax);

/** Leases an unleased part of an open job; returns the attempt's number, from 1. */
const claimFreePart = statement((given: Given<Claim & { leaseUntilMs: number }>) =>
  query
    .insert(jobParts)
    .selecting(
      {
        ...pick(given, "part", "leaseId"),
        jobId: jobs.jobId,
        attempts: 1,
        leaseUntil: given.leaseUntilMs,
      },
      sql`from ${jobs} where ${isOpenJobWith(given)}`,
    )
    .onConflictDoUpdate({
      target: [jobParts.jobId, jobParts.part],
      set: {
        attempts: sql`${jobParts.attempts} + 1`,
        ...excluded(jobParts, "leaseId", "leaseUntil"),
      },
      setWhere: sql`${isFree(given)} and not ${isExhausted}`,
    })
    .returning({ attempts: jobParts.attempts }),
);

/** Moves the job from queued to running once a part is leased. */
const startJob = statement((given: Given<Held & { nowMs: number }>) =>
  query
    .update(jobs)
    .set({ status: "running", startedAt: given.nowMs })
    .where(
      sql`${matches(jobs, { jobId: given.jobId, status: "queued" })}
        and exists (select 1 from ${jobParts} where ${isHeld(given)})`,
    ),
);

/** A leased part; `attempts` includes the current attempt. */
export interface ClaimedPart extends Held {
  readonly attempts: number;
  readonly job: JobToRender;
  /** Ids of its sizes, in the job's order. */
  readonly sizeIds: readonly string[];
}

/**
 * Claims a part in one batch: leases it, then moves the job from queued to running at its first claim. Null when the
 * part is drawn, leased by another message or out of attempts, or the job has ended. Cancelling a job is a batch too,
 * so that either the first claim or the cancellation succeeds.
 */
export async function claimPart(
  db: D1Database,
  { jobId, part }: PartName,
  holder: LeaseHolder,
  nowMs: number,
): Promise<ClaimedPart | null> {
  const claim = { jobId, part, ...holder, nowMs };
  const [claimed, , found] = await db.batch([
    claimFreePart.bind(db, { ...claim, leaseUntilMs: nowMs + LIMITS.partLeaseMs }),
    startJob.bind(db, claim),
    jobToRender.bind(db, { jobId }),
  ]);
  const row = claimFreePart.row(claimed);
  if (row === null) return null;
  const job = jobToRender.row(found);
  if (job === null) throw new Error("a claimed part has no job");
  return { ...row, job, jobId, part, leaseId: holder.leaseId, sizeIds: sizeIdsOfPart(job, part) };
}

const renewLease = statement((given: Given<Held & { leaseUntilMs: number }>) =>
  query.update(jobParts).set({ leaseUntil: given.leaseUntilMs }).where(isHeld(given)),
);

/**
 * Renews an attempt's lease by timer, between outputs and while it waits for memory. Returns a function that stops it.
 * A crashed isolate renews nothing, and drawing an output delays the timer.
 */
export function keepLease(db: D1Database, held: Held): () => void {
  const startedAtMs = clock.now();
  const timer = setInterval(() => {
    const nowMs = clock.now();
    if (nowMs - startedAtMs > LIMITS.partRenewedMsMax) return clearInterval(timer);
    // The next renewal makes up for a failed one.
    renewLease.run(db, { ...held, leaseUntilMs: nowMs + LIMITS.partLeaseMs }).catch(() => undefined);
  }, LIMITS.partLeaseRenewalMs);
  return () => clearInterval(timer);
}

/** The part, if it is unleased and has used all its attempts. */
export const exhaustedPart = statement((given: Given<Claim>) =>
  query
    .read(jobParts, { part: jobParts.part })
    .where(and(matches(jobParts, pick(given, "jobId", "part")), isFree(given), isExhausted)),
);

/** Releases a part, so that the next attempt need not wait for the lease to end. */
export const releasePart = statement((given: Given<Held>) =>
  query.update(jobParts).set({ leaseId: null, leaseUntil: null }).where(isHeld(given)),
);

/** Marks a leased part as drawn, and stores its files (`files`, a JSON list). */
const completeHeldPart = statement((given: Given<Held & { outputsDone: number; files: string }>) =>
  query
    .update(jobParts)
    .set({ outputsDone: given.outputsDone, files: sql`${given.files}`, leaseId: null, leaseUntil: null })
    .where(isHeld(given)),
);

/** A running job's parts with their files, in order, once all are drawn; no rows before. */
export const partsOfDrawnJob = statement((given: Given<{ jobId: string }>) =>
  query
    .read(jobs, { ...pick(jobs, "jobId", "workspaceId", "artifactId", "imageHash"), files: jobParts.files })
    .innerJoin(jobParts, eq(jobParts.jobId, jobs.jobId))
    .where(
      sql`${matches(jobs, { jobId: given.jobId, status: "running" })}
        and (select count(${jobParts.files}) from ${jobParts} where ${jobParts.jobId} = ${given.jobId}) * ${perPart}
          >= json_array_length(${jobs.selectedSizeIds})`,
    )
    .orderBy(asc(jobParts.part)),
);

export type PartOfDrawnJob = RowOf<typeof partsOfDrawnJob>;

/**
 * Marks a part as drawn if the attempt still has its lease, even an expired one. Returns all of the job's parts when
 * this was the last, otherwise none. Null when the lease was lost to another attempt or the job has ended.
 */
export async function completePart(
  db: D1Database,
  { sizeIds, ...held }: Held & Pick<ClaimedPart, "sizeIds">,
  files: readonly object[],
): Promise<readonly PartOfDrawnJob[] | null> {
  const [done, drawn] = await db.batch([
    completeHeldPart.bind(db, { ...held, outputsDone: sizeIds.length, files: JSON.stringify(files) }),
    partsOfDrawnJob.bind(db, held),
  ]);
  return (done?.meta.changes ?? 0) > 0 ? partsOfDrawnJob.rows(drawn) : null;
}

/** A part of an open job that is neither drawn nor leased, and whether it is out of attempts. */
export const deadPart = statement((given: Given<Named>) =>
  query
    .read(jobs, { isExhausted: sql`${isExhausted}`.mapWith(Boolean) })
    .leftJoin(jobParts, matches(jobParts, pick(given, "jobId", "part")))
    .where(sql`${isOpenJobWith(given)} and ${isDrawnOrLeased(given)} is not true`),
);

/** Removes leases and files from the parts of a failed job, but not their progress. */
export const failParts = statement((given: Given<{ jobId: string }>) =>
  query
    .update(jobParts)
    .set({ leaseId: null, leaseUntil: null, files: null })
    .where(
      sql`${jobParts.jobId} = ${given.jobId}
        and exists (select 1 from ${jobs} where ${matches(jobs, { jobId: given.jobId, status: "failed" })})`,
    ),
);

/** Deletes the parts of a succeeded job; its artifact has their files. */
export const deletePartsOfSucceeded = statement((given: Given<{ jobId: string }>) =>
  query.delete(jobParts).where(
    sql`${jobParts.jobId} = ${given.jobId}
        and exists (select 1 from ${jobs} where ${matches(jobs, { jobId: given.jobId, status: "succeeded" })})`,
  ),
);
