import type { Job } from "../jobs/job.ts";
import { markDispatched } from "../jobs/overdue-jobs.ts";
import { clock } from "../platform/clock.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { type Outputs, sendMessages } from "./send-render-messages.ts";

/** Jobs of this isolate whose messages are to be sent. */
interface Outbox {
  readonly waiting: Outputs[];
  /** Since when a request has been sending; null while none is. */
  sendingSinceMs: number | null;
}

/**
 * How long one request sends for others, which the platform lets it do for 30 s after its answer. One that is older has
 * died, or is about to hand over: the next request then sends itself.
 */
const SENDING_MS_MAX = 10_000;
/** Jobs that one call sends and one write notes as sent. */
const JOBS_PER_SEND_MAX = 100;

const outboxes = new WeakMap<Queue, Outbox>();

function outboxOf(queue: Queue): Outbox {
  const known = outboxes.get(queue);
  if (known !== undefined) return known;
  const made: Outbox = { waiting: [], sendingSinceMs: null };
  outboxes.set(queue, made);
  return made;
}

/**
 * Sends a new job's messages. While one request sends, those that come meanwhile leave theirs to it: all of them go out
 * in its next call, and when none is left, or there are many, one write notes that they were sent. Never throws: what
 * was not sent or not noted, also because the sending request died, the sweep sends, after half a minute.
 */
export async function announceJob(queue: Queue, db: D1Database, job: Job): Promise<void> {
  const outbox = outboxOf(queue);
  const positions = job.selectedSizeIds.map((_, position) => position);
  outbox.waiting.push({ jobId: job.jobId, motion: job.motion, positions });
  const startMs = clock.now();
  const { sendingSinceMs } = outbox;
  const isSending = sendingSinceMs !== null && Math.abs(startMs - sendingSinceMs) < SENDING_MS_MAX;
  if (isSending) return;
  outbox.sendingSinceMs = startMs;
  await sendWaiting(queue, db, outbox, startMs);
  if (outbox.sendingSinceMs === startMs) outbox.sendingSinceMs = null;
}

async function sendWaiting(queue: Queue, db: D1Database, outbox: Outbox, startMs: number): Promise<void> {
  const { waiting } = outbox;
  const isOurs = () => outbox.sendingSinceMs === startMs && clock.now() - startMs < SENDING_MS_MAX;
  while (waiting.length > 0 && isOurs()) {
    const sent: string[] = [];
    while (waiting.length > 0 && sent.length < JOBS_PER_SEND_MAX && isOurs()) {
      const jobs = waiting.splice(0, JOBS_PER_SEND_MAX);
      const jobIds = jobs.map(({ jobId }) => jobId);
      if (await isDone(jobIds, () => sendMessages(queue, jobs))) sent.push(...jobIds);
    }
    if (sent.length > 0) await isDone(sent, () => markDispatched(db, sent, clock.now()));
  }
}

/** Whether the work was done; where it failed, the jobs' messages count as unsent. */
async function isDone(jobIds: readonly string[], work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (thrown) {
    for (const jobId of jobIds) {
      log.failure({ event: "render_messages_unsent", jobId, errorName: errorNameOf(thrown) });
    }
    return false;
  }
}
