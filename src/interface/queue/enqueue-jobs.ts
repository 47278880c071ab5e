import type { OutputFormat } from "#catalogue/types.ts";
import { giveSlots, oldestWaitingJobs } from "#domains/jobs/fair-queue-store.ts";
import { partsOf } from "#domains/jobs/part-store.ts";
import type { Job } from "#domains/jobs/store.ts";
import { markJobsDispatched } from "#domains/jobs/sweep-store.ts";
import { clock } from "#platform/clock.ts";
import { sendMessages } from "#platform/leased-work/dispatch.ts";
import { log, loggedRequestId } from "#platform/log/log.ts";
import { pick } from "#platform/pick-members.ts";
import type { RenderMessage } from "./messages.ts";

interface Queues {
  readonly queue: Queue;
  /** For videos, each of which takes as long as many other parts. Null where it is not bound: then `queue` takes them. */
  readonly videos: Queue | null;
}

/** The queues, and how many messages workspaces share in both together. */
export interface RenderQueues extends Queues {
  readonly queuedMessagesMax: number;
}

/** Parts of a job that are to be rendered. */
interface PendingParts {
  readonly jobId: string;
  readonly parts: readonly number[];
  readonly outputFormat: OutputFormat;
  /** The request that created the job, as logs have it. */
  readonly requestId?: string;
}

/** One message for each part. */
export const messagesFor = ({ parts, outputFormat: _, ...rest }: PendingParts): readonly RenderMessage[] =>
  parts.map((part) => ({ ...rest, part }));

const isVideo = ({ outputFormat }: PendingParts): boolean => outputFormat === "mp4";

/** Sends the messages of some jobs, videos last: a fault of their queue delays nothing else. */
async function sendParts({ queue, videos }: Queues, jobs: readonly PendingParts[]): Promise<void> {
  await sendMessages(queue, jobs.filter((job) => !isVideo(job)).flatMap(messagesFor));
  await sendMessages(videos ?? queue, jobs.filter(isVideo).flatMap(messagesFor));
}

/** Sends the messages of some jobs and marks the jobs. Throws when queue or database fails; some may be sent by then. */
export async function sendAndMark(
  queues: Queues,
  db: D1Database,
  jobs: readonly PendingParts[],
  nowMs: number,
): Promise<void> {
  await sendParts(queues, jobs);
  await markJobsDispatched.run(db, { jobIds: jobIdsOf(jobs), nowMs });
}

const jobIdsOf = (jobs: readonly PendingParts[]): string => JSON.stringify(jobs.map(({ jobId }) => jobId));

/** Jobs of this isolate and one database whose messages are to be sent. */
export interface Outbox {
  readonly waiting: PendingParts[];
  /** Since when a request has been sending; null while none is. */
  sendingSinceMs: number | null;
}

/**
 * How long one request sends for others; the platform gives it 30 s after its response. A request that has been sending
 * for longer has died or is about to stop, and the next one sends itself.
 */
const SENDING_MS_MAX = 10_000;
/** Jobs that one call sends and one write marks as dispatched. */
const JOBS_PER_SEND_MAX = 100;

/**
 * Enqueues a new job's messages, unless it waits for a slot: then the end of another job does. While one request of the
 * isolate sends, the others leave their messages to it: its next call takes them all, and one write marks the jobs as
 * dispatched. Never throws: what was not sent or not marked, the sweep sends after half a minute.
 */
export async function enqueueJob(
  outbox: Outbox,
  queues: Queues,
  db: D1Database,
  job: Job,
  requestId: string,
): Promise<void> {
  if (job.isWaiting) return;
  outbox.waiting.push({ ...allParts(job), requestId: loggedRequestId(requestId) });
  const startMs = clock.now();
  const { sendingSinceMs } = outbox;
  const isSending = sendingSinceMs !== null && Math.abs(startMs - sendingSinceMs) < SENDING_MS_MAX;
  if (isSending) return;
  outbox.sendingSinceMs = startMs;
  await sendWaiting(queues, db, outbox, startMs);
  if (outbox.sendingSinceMs === startMs) outbox.sendingSinceMs = null;
}

async function sendWaiting(queues: Queues, db: D1Database, outbox: Outbox, startMs: number): Promise<void> {
  const { waiting } = outbox;
  const isOurs = () => outbox.sendingSinceMs === startMs && clock.now() - startMs < SENDING_MS_MAX;
  while (waiting.length > 0 && isOurs()) {
    const sent: string[] = [];
    while (waiting.length > 0 && sent.length < JOBS_PER_SEND_MAX && isOurs()) {
      const jobs = waiting.splice(0, JOBS_PER_SEND_MAX);
      const jobIds = jobs.map(({ jobId }) => jobId);
      if (await succeeds(jobIds, () => sendParts(queues, jobs))) sent.push(...jobIds);
    }
    if (sent.length === 0) continue;
    const jobIds = JSON.stringify(sent);
    await succeeds(sent, () => markJobsDispatched.run(db, { jobIds, nowMs: clock.now() }));
  }
}

/** Whether the work succeeded; where it failed, the jobs' messages count as unsent. */
async function succeeds(jobIds: readonly string[], work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (thrown) {
    for (const jobId of jobIds) {
      log.failure({ event: "render_messages_unsent", jobId }, thrown);
    }
    return false;
  }
}

const allParts = (job: Pick<Job, "jobId" | "motion" | "outputFormat" | "selectedSizeIds">): PendingParts => ({
  ...pick(job, "jobId", "outputFormat"),
  parts: partsOf(job),
});

/**
 * Enqueues the next waiting jobs of the workspace of a job, which has ended and left its slot. Never throws: what has no
 * slot or was not sent, the sweep sends.
 */
export async function enqueueNext(queues: RenderQueues, db: D1Database, jobId: string): Promise<void> {
  try {
    await sendNext(queues, db, jobId, clock.now());
  } catch (thrown) {
    log.failure({ event: "next_jobs_unsent", jobId }, thrown);
  }
}

async function sendNext(queues: RenderQueues, db: D1Database, jobId: string, nowMs: number): Promise<number> {
  const given = await giveSlots.all(db, {
    jobId,
    nowMs,
    queuedMessagesMax: queues.queuedMessagesMax,
    limit: JOBS_PER_SEND_MAX,
  });
  if (given.length === 0) return 0;
  await sendAndMark(queues, db, given.map(allParts), nowMs);
  return given.length;
}

/**
 * Enqueues waiting jobs of workspaces in which nothing did when it should have, one workspace after another. Returns how
 * many. One that fails is logged, and the others go on.
 */
export async function enqueueWaiting(
  queues: RenderQueues,
  db: D1Database,
  nowMs: number,
  workspacesMax: number,
): Promise<number> {
  let count = 0;
  for (const { jobId } of await oldestWaitingJobs.all(db, { nowMs, limit: workspacesMax })) {
    try {
      count += await sendNext(queues, db, jobId, nowMs);
    } catch (thrown) {
      log.failure({ event: "next_jobs_unsent", jobId }, thrown);
    }
  }
  return count;
}
