import type { Job } from "../jobs/store.ts";
import { markJobsDispatched } from "../jobs/sweep-store.ts";
import { clock } from "../platform/clock.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { oncePer } from "../platform/once-per.ts";
import { type PendingOutputs, sendRenderMessages } from "./render-messages.ts";

/** Jobs of this isolate whose messages are to be sent. */
interface Outbox {
  readonly waiting: PendingOutputs[];
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

const outboxOf = oncePer((_: Queue): Outbox => ({ waiting: [], sendingSinceMs: null }));

/**
 * Enqueues a new job's messages. While one request of the isolate sends, the others leave their messages to it: all of
 * them go out in its next call, and when none is left, or there are many, one write marks the jobs as dispatched. Never
 * throws: what was not sent or not marked, also because the sending request died, the sweep sends after half a minute.
 */
export async function enqueueJob(queue: Queue, db: D1Database, job: Job): Promise<void> {
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
      if (await succeeds(jobIds, () => sendRenderMessages(queue, jobs))) sent.push(...jobIds);
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
      log.failure({ event: "render_messages_unsent", jobId, errorName: errorNameOf(thrown) });
    }
    return false;
  }
}
