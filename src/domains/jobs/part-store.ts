import { and, asc, eq, gte, sql } from "drizzle-orm";
import { LIMITS } from "#api/limits.ts";
import { isHeldByMessage, type LeaseHolder } from "#platform/db/lease.ts";
import { jobParts, jobs } from "#platform/db/schema/index.ts";
import { type Given, matches, query, type RowOf, statement } from "#platform/db/statement.ts";
import { pick } from "#platform/pick.ts";
import { isOpen } from "./open-jobs.ts";

/** SQL of the parts of jobs: their leases, attempts and results. A part without a row was never claimed. */

type Named = {
  readonly jobId: string;
  /** Of outputs, a JSON list: parts are named by any of theirs. */
  readonly positions: string;
  readonly nowMs: number;
};

type Claim = Named & LeaseHolder;

type Held = { readonly jobId: string; readonly leaseId: string };

/** As `outputsPerPart`. */
export const perPart = sql`iif(${jobs.motion} = 'static', ${LIMITS.staticOutputsPerPart}, ${LIMITS.animatedOutputsPerPart})`;

/** The part of an output that is named, where its job is joined. */
const namedPart = sql`named.value / ${perPart}`;

/** The job beside each of its outputs that are named. */
const named = (given: Given<Pick<Named, "jobId" | "positions">>) =>
  sql`${jobs} join json_each(${given.positions}) as named on ${jobs.jobId} = ${given.jobId}
    and named.value < json_array_length(${jobs.selectedSizeIds})`;

/** Parts of the job that are named. */
const isNamed = (given: Given<Pick<Named, "jobId" | "positions">>) =>
  sql`${jobParts.jobId} = ${given.jobId} and ${jobParts.part} in (select ${namedPart} from ${named(given)})`;

/** Parts that are drawn, or that somebody draws. */
export const isTaken = (given: Given<{ nowMs: number }>) =>
  sql`(${jobParts.files} is not null or ${jobParts.leaseUntil} > ${given.nowMs})`;

/** Not drawn, and drawn by nobody or by an earlier attempt at the same message. */
const isFree = (given: Given<Claim>) =>
  sql`${jobParts.files} is null and (coalesce(${jobParts.leaseUntil}, 0) <= ${given.nowMs}
    or ${isHeldByMessage(jobParts.leaseId, given.messageId)})`;

const isHeld = ({ jobId, leaseId }: Given<Held>) => matches(jobParts, { jobId, leaseId });

const isExhausted = gte(jobParts.attempts, LIMITS.partAttemptsMax);

/** Takes the free ones of the named parts of an open job: lease and attempt. */
export const claimFreeParts = statement((given: Given<Claim & { leaseUntilMs: number }>) =>
  query
    .insert(jobParts)
    .selecting(
      {
        jobId: jobs.jobId,
        part: namedPart,
        attempts: 1,
        leaseId: given.leaseId,
        leaseUntil: given.leaseUntilMs,
      },
      sql`from ${named(given)} where ${isOpen} group by ${namedPart}`,
    )
    .onConflictDoUpdate({
      target: [jobParts.jobId, jobParts.part],
      set: {
        attempts: sql`${jobParts.attempts} + 1`,
        leaseId: sql`excluded.lease_id`,
        leaseUntil: sql`excluded.lease_until`,
      },
      setWhere: sql`${isFree(given)} and not ${isExhausted}`,
    }),
);

/** Queued to running, once a part is held. */
export const startJob = statement((given: Given<Held & { nowMs: number }>) =>
  query
    .update(jobs)
    .set({ status: "running", startedAt: given.nowMs })
    .where(
      sql`${matches(jobs, { jobId: given.jobId, status: "queued" })}
        and exists (select 1 from ${jobParts} where ${isHeld(given)})`,
    ),
);

/** The parts that the lease holder has. */
export const heldParts = statement((given: Given<Held>) =>
  query
    .select({ part: jobParts.part, attempts: jobParts.attempts })
    .from(jobParts)
    .where(isHeld(given))
    .orderBy(asc(jobParts.part)),
);

/** A part under lease; `attempts` counts this one. */
export type ClaimedPart = RowOf<typeof heldParts>;

/** A named part that is free and has had all its attempts. */
export const exhaustedPart = statement((given: Given<Claim>) =>
  query
    .select({ part: jobParts.part })
    .from(jobParts)
    .where(and(isNamed(given), isFree(given), isExhausted))
    .limit(1),
);

/** Releases what a lease holder still has, so that the next attempt need not wait for the lease to end. */
export const releaseParts = statement((given: Given<Held>) =>
  query.update(jobParts).set({ leaseId: null, leaseUntil: null }).where(isHeld(given)),
);

/** Notes what was drawn of a part under lease. `files` is a JSON list. */
export const completeHeldPart = statement(
  (given: Given<Held & { part: number; outputsDone: number; files: string }>) =>
    query
      .update(jobParts)
      .set({
        outputsDone: given.outputsDone,
        files: sql`${given.files}`,
        leaseId: null,
        leaseUntil: null,
      })
      .where(matches(jobParts, { jobId: given.jobId, part: given.part, leaseId: given.leaseId })),
);

export const renewLeases = statement((given: Given<Held & { leaseUntilMs: number }>) =>
  query.update(jobParts).set({ leaseUntil: given.leaseUntilMs }).where(isHeld(given)),
);

/** The parts of a running job in their order, with the files of each, once all of them are drawn; none before. */
export const partsOfDrawnJob = statement((given: Given<{ jobId: string }>) =>
  query
    .select({
      ...pick(jobs, "jobId", "workspaceId", "artifactId"),
      files: jobParts.files,
    })
    .from(jobs)
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
 * The named parts of an open job that are not drawn and that nobody draws: their number, and of those the number without
 * attempts left.
 */
export const deadParts = statement((given: Given<Named>) =>
  query
    .select({
      pending: sql<number>`count(distinct ${namedPart})`,
      exhausted: sql<number>`count(distinct iif(${isExhausted}, ${namedPart}, null))`,
    })
    .from(named(given))
    .leftJoin(jobParts, sql`${jobParts.jobId} = ${jobs.jobId} and ${jobParts.part} = ${namedPart}`)
    .where(sql`${isOpen} and ${isTaken(given)} is not true`),
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
