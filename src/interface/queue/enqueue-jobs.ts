import type { OutputFormat } from "#catalogue/types.ts";
import { assignSlots, oldestWaitingJobs } from "#domains/jobs/fair-queue-store.ts";
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
  /** For videos, which take as long as many other parts. Null if unbound: then they are sent to `queue`. */
  readonly videos: Queue | null;
}

/** The queues, and the number of messages that workspaces share in both together. */
export interface RenderQueues extends Queues {
  readonly queuedMessagesMax: number;
}

/** Parts of a job to render. */
interface PendingParts {
  readonly jobId: string;
  readonly parts: readonly number[];
  readonly outputFormat: OutputFormat;
  /** Id of the request that created the job, as logged. */
  readonly requestId?: string;
}

/** One message per part. */
export const messagesFor = ({ parts, outputFormat: _, ...rest }: PendingParts): readonly RenderMessage[] =>
  parts.map((part) => ({ ...rest, part }));

const isVideo = ({ outputFormat }: PendingParts): boolean => outputFormat === "mp4";

/** Sends the jobs' messages, videos last, so that a fault of their queue delays no others. */
async function sendParts({ queue, videos }: Queues, jobs: readonly PendingParts[]): Promise<void> {
  await sendMessages(queue, jobs.filter((job) => !isVideo(job)).flatMap(messagesFor));
  await sendMessages(videos ?? queue, jobs.filter(isVideo).flatMap(messagesFor));
}

/**
 * Sends the jobs' messages and marks the jobs as sent. Throws if queue or database fails; some messages may be sent by
 * then.
 */
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

/** Unsent jobs of this isolate and one database. */
export interface Outbox {
  readonly waiting: PendingParts[];
  /** When a request began to send; null if none is sending. */
  sendingSinceMs: number | null;
}

/**
 * Time limit for one request's sending; the platform allows 30 s after the response. A request that sends for longer
 * has died or is about to stop, so the next one takes over.
 */
const SENDING_MS_MAX = 10_000;
/** Maximum number of jobs per call to the queue and per write that marks them as sent. */
const JOBS_PER_SEND_MAX = 100;

/**
 * Enqueues a new job's messages, unless it waits for a slot. While one request of the isolate sends, others leave their
 * jobs in the outbox: its next call sends them all, and one write marks them as sent. Never throws; the sweep sends the
 * rest after 30 s.
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

/** Whether the work succeeded. Logs a failure for each job. */
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
 * Enqueues the workspace's next waiting jobs after `jobId` has ended and freed its slot. Never throws; the sweep
 * assigns missing slots and sends unsent jobs.
 */
export async function enqueueNext(queues: RenderQueues, db: D1Database, jobId: string): Promise<void> {
  try {
    await sendNext(queues, db, jobId, clock.now());
  } catch (thrown) {
    log.failure({ event: "next_jobs_unsent", jobId }, thrown);
  }
}

async function sendNext(queues: RenderQueues, db: D1Database, jobId: string, nowMs: number): Promise<number> {
  const given = await assignSlots.all(db, {
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
 * Enqueues waiting jobs of workspaces where `enqueueNext` was missed. Logs a workspace that fails and continues.
 * Returns the number of jobs.
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
