import type { Motion } from "../contract/catalogue/types.ts";
import type { Job } from "../jobs/job.ts";
import { markDispatched } from "../jobs/overdue-jobs.ts";
import { clock } from "../platform/clock.ts";
import { errorNameOf, log } from "../platform/log.ts";
import { messagesFor } from "./render-message.ts";

/** The queue takes at most 100 messages and 256 KB a call; 100 of ours are under 60 KB. */
const MESSAGES_PER_SEND_MAX = 100;

interface Outputs {
  readonly jobId: string;
  readonly motion: Motion;
  readonly positions: readonly number[];
}

/**
 * Sends the messages for a job's outputs and then notes that they were sent. Throws when the queue refuses; what
 * was sent by then does no harm when it is sent again.
 */
export async function sendRenderMessages(
  queue: Queue,
  db: D1Database,
  { jobId, motion, positions }: Outputs,
  nowMs: number,
): Promise<void> {
  const messages = messagesFor(jobId, motion, positions).map((body) => ({ body }));
  for (let start = 0; start < messages.length; start += MESSAGES_PER_SEND_MAX) {
    await queue.sendBatch(messages.slice(start, start + MESSAGES_PER_SEND_MAX));
  }
  await markDispatched(db, jobId, nowMs);
}

/** Sends a new job's messages. Never throws: when sending fails, the sweep sends them. */
export async function announceJob(queue: Queue, db: D1Database, job: Job): Promise<void> {
  try {
    const positions = job.selectedSizeIds.map((_, position) => position);
    await sendRenderMessages(queue, db, { jobId: job.jobId, motion: job.motion, positions }, clock.now());
  } catch (thrown) {
    log.failure({ event: "render_messages_unsent", jobId: job.jobId, errorName: errorNameOf(thrown) });
  }
}
