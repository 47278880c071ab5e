import { claimPart } from "#domains/jobs/part-store.ts";
import { clock } from "#platform/clock.ts";
import { leaseHolder } from "#platform/db/lease.ts";
import { newId } from "#platform/ids.ts";
import { anyDatabase } from "./homes.ts";
import { acceptedJob, holdQueue, workspaceWithLogo } from "./jobs.ts";

/** Jobs whose messages the test delivers. */

/** Sizes that are fast to draw, and enough to split a job into two messages. */
export const SIX_SIZES = [
  "iab-320x50",
  "iab-120x60",
  "iab-300x50",
  "gads-320x50",
  "gads-300x50",
  "amazon-320x50",
];

/** A queued job whose messages only the test delivers. */
export async function heldJob(
  changes: Record<string, unknown> = {},
  access?: Parameters<typeof workspaceWithLogo>[0],
) {
  holdQueue();
  const client = await workspaceWithLogo(access);
  const job = await acceptedJob(client, changes);
  return { client, job, jobId: job.jobId };
}

/** Claims the job's first part, like a consumer that dies right afterwards. */
export const claimAndDie = (jobId: string, messageId: string, nowMs: number = clock.now()) => {
  const holder = leaseHolder(messageId, newId());
  return claimPart(anyDatabase(), { jobId, part: 0 }, holder, nowMs).then((claimed) => ({
    claimed,
    leaseId: holder.leaseId,
  }));
};

/** The queue's result for an acknowledged message. */
export const ACKNOWLEDGED = { retryMessages: [] };
