import type { Motion } from "../contract/catalogue/types.ts";
import { markDispatched } from "../jobs/overdue-jobs.ts";
import { messagesFor } from "./render-message.ts";

/** The queue takes at most 100 messages and 256 KB a call; 100 of ours are under 60 KB. */
const MESSAGES_PER_SEND_MAX = 100;

/** Outputs of a job that are to be drawn. */
export interface Outputs {
  readonly jobId: string;
  readonly motion: Motion;
  readonly positions: readonly number[];
}

/** Sends the messages for outputs of some jobs. Throws when the queue refuses; some may have been sent by then. */
export async function sendMessages(queue: Queue, jobs: readonly Outputs[]): Promise<void> {
  const messages = jobs
    .flatMap(({ jobId, motion, positions }) => messagesFor(jobId, motion, positions))
    .map((body) => ({ body }));
  for (let start = 0; start < messages.length; start += MESSAGES_PER_SEND_MAX) {
    await queue.sendBatch(messages.slice(start, start + MESSAGES_PER_SEND_MAX));
  }
}

/**
 * Sends the messages for a job's outputs and then notes that they were sent. Throws when the queue or the database
 * refuses; what was sent by then does no harm when it is sent again.
 */
export async function sendRenderMessages(
  queue: Queue,
  db: D1Database,
  job: Outputs,
  nowMs: number,
): Promise<void> {
  await sendMessages(queue, [job]);
  await markDispatched(db, [job.jobId], nowMs);
}
