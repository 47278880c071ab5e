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
 * The parts of a job: its outputs in the order of the request, so many to each. A part is what one message names; it is
 * leased, drawn and completed as one, so that a pack is drawn in parallel and written in few batches. A part without a row
 * was never claimed.
 */

type Cut = Pick<JobPlan, "motion" | "selectedSizeIds">;

/** Outputs of a part; its last one may have fewer. A job that is open must not be cut differently: only add motions. */
const outputsPerPart = (motion: Motion): number =>
  motion === "static" ? LIMITS.staticOutputsPerPart : LIMITS.animatedOutputsPerPart;

/** As `outputsPerPart`. */
const perPart = sql`iif(${jobs.motion} = 'static', ${LIMITS.staticOutputsPerPart}, ${LIMITS.animatedOutputsPerPart})`;

/** The numbers of a job's parts. */
export const partsOf = ({ motion, selectedSizeIds }: Cut): readonly number[] =>
  Array.from({ length: Math.ceil(selectedSizeIds.length / outputsPerPart(motion)) }, (_, part) => part);

/** The ids of a part's sizes, in the job's order. */
export function sizeIdsOfPart({ motion, selectedSizeIds }: Cut, part: number): readonly string[] {
  const count = outputsPerPart(motion);
  return selectedSizeIds.slice(part * count, (part + 1) * count);
}

/** What a message names. */
export interface PartName {
  readonly jobId: string;
  readonly part: number;
}

type Named = PartName & { readonly nowMs: number };
type Claim = Named & LeaseHolder;
type Held = PartName & { readonly leaseId: string };

/** The open job of a part, where it has that part. */
const isOpenJobWith = (given: Given<PartName>) =>
  sql`${jobs.jobId} = ${given.jobId} and ${isOpen}
    and ${given.part} * ${perPart} < json_array_length(${jobs.selectedSizeIds})`;

/** Drawn, or being drawn under a lease. */
export const isTaken = (given: Given<{ nowMs: number }>) =>
  sql`(${jobParts.files} is not null or ${jobParts.leaseUntil} > ${given.nowMs})`;

/** Not drawn, and under no lease but that of an earlier attempt at the same message, which has crashed. */
const isFree = (given: Given<Claim>) =>
  sql`${jobParts.files} is null and (coalesce(${jobParts.leaseUntil}, 0) <= ${given.nowMs}
    or ${isHeldByMessage(jobParts.leaseId, given.messageId)})`;

const isHeld = ({ jobId, part, leaseId }: Given<Held>) => matches(jobParts, { jobId, part, leaseId });

const isExhausted = gte(jobParts.attempts, LIMITS.partAttemptsMax);

/** Takes a part of an open job if it is free: lease and attempt, whose number it returns. */
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

/** Queued to running, once a part is held. */
const startJob = statement((given: Given<Held & { nowMs: number }>) =>
  query
    .update(jobs)
    .set({ status: "running", startedAt: given.nowMs })
    .where(
      sql`${matches(jobs, { jobId: given.jobId, status: "queued" })}
        and exists (select 1 from ${jobParts} where ${isHeld(given)})`,
    ),
);

/** A part under lease; `attempts` counts this one. */
export interface ClaimedPart extends Held {
  readonly attempts: number;
  readonly job: JobToRender;
  /** Of its outputs, in the job's order. */
  readonly sizeIds: readonly string[];
}

/**
 * Takes a part, in one batch: lease and attempt, then the job's move from queued to running at its first claim. Null where
 * the part is drawn, another message's or had all its attempts, or the job has ended. Cancelling is a batch too, so that
 * one of the two comes first and the other sees it.
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
 * Renews the lease of an attempt while it waits for memory, and between its outputs; returns what stops that. An isolate
 * that crashes renews nothing, nor does one that draws an output.
 */
export function keepLease(db: D1Database, held: Held): () => void {
  const startedAtMs = clock.now();
  const timer = setInterval(() => {
    const nowMs = clock.now();
    if (nowMs - startedAtMs > LIMITS.partRenewedMsMax) return clearInterval(timer);
    // One that fails is made up for by the next.
    renewLease.run(db, { ...held, leaseUntilMs: nowMs + LIMITS.partLeaseMs }).catch(() => undefined);
  }, LIMITS.partLeaseRenewalMs);
  return () => clearInterval(timer);
}

/** The part, where it is free but has had all its attempts. */
export const exhaustedPart = statement((given: Given<Claim>) =>
  query
    .read(jobParts, { part: jobParts.part })
    .where(and(matches(jobParts, pick(given, "jobId", "part")), isFree(given), isExhausted)),
);

/** Releases a part, so that the next attempt need not wait for the lease to end. */
export const releasePart = statement((given: Given<Held>) =>
  query.update(jobParts).set({ leaseId: null, leaseUntil: null }).where(isHeld(given)),
);

/** Notes what was drawn of a part under lease. `files` is a JSON list. */
const completeHeldPart = statement((given: Given<Held & { outputsDone: number; files: string }>) =>
  query
    .update(jobParts)
    .set({ outputsDone: given.outputsDone, files: sql`${given.files}`, leaseId: null, leaseUntil: null })
    .where(isHeld(given)),
);

/** The parts of a running job in their order, with the files of each, once all of them are drawn; none before. */
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

/** A part of a job that is all drawn. */
export type PartOfDrawnJob = RowOf<typeof partsOfDrawnJob>;

/**
 * Marks a part drawn, if the lease is still held. Returns the job's parts where this was its last, and none before; null
 * when the lease was lost: another attempt draws it, or the job has ended.
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

/** The part of an open job that is neither drawn nor under lease, and whether it has attempts left. */
export const deadPart = statement((given: Given<Named>) =>
  query
    .read(jobs, { isExhausted: sql`${isExhausted}`.mapWith(Boolean) })
    .leftJoin(jobParts, matches(jobParts, pick(given, "jobId", "part")))
    .where(sql`${isOpenJobWith(given)} and ${isTaken(given)} is not true`),
);

/** Takes leases and files from the parts of a failed job; how far it came stays. */
export const failParts = statement((given: Given<{ jobId: string }>) =>
  query
    .update(jobParts)
    .set({ leaseId: null, leaseUntil: null, files: null })
    .where(
      sql`${jobParts.jobId} = ${given.jobId}
        and exists (select 1 from ${jobs} where ${matches(jobs, { jobId: given.jobId, status: "failed" })})`,
    ),
);

/** Deletes the parts of a job that has succeeded: its artifact has all that they had. */
export const deletePartsOfSucceeded = statement((given: Given<{ jobId: string }>) =>
  query.delete(jobParts).where(
    sql`${jobParts.jobId} = ${given.jobId}
        and exists (select 1 from ${jobs} where ${matches(jobs, { jobId: given.jobId, status: "succeeded" })})`,
  ),
);
